import Foundation
import GRDB
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

/// The importer compared with a slow model of it, over random sequences of exports.
@Suite struct ImportModelTests {
    static let torture = TestTier.isTorture

    @Test(
        "any sequence of exports gives the content and counts of the model",
        arguments: 0..<(TestTier.isTorture ? 600 : TestTier.current == .quick ? 6 : 30))
    func rows(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        var model = ImportModel()
        let naming: GeneratedExport.Naming = seed % 2 == 0 ? .fresh : .reused
        var export = GeneratedExport(naming: naming)
        var uuids: [String: String] = [:]
        for step in 0..<12 {
            for _ in 0..<Int.random(in: 1...4, using: &random) { export.edit(using: &random) }
            export.date += 86_400 * Int.random(in: -2...4, using: &random)
            export.offset = Int.random(in: -11...13, using: &random)
            export.readableCount =
                Int.random(in: 0..<4, using: &random) == 0
                ? Int.random(in: 0...export.records.count, using: &random) : nil
            let path = try folder.write("export.xml", export.xml)
            let report = try importFile(path, into: store)
            let expected = model.apply(export)
            let place = "seed \(seed), step \(step)"
            let records = report.outcome.records
            let found = ImportModel.Counts(
                new: records.new, unchanged: records.unchanged, changed: records.changed,
                vanished: report.outcome.vanished, notApplied: report.outcome.notApplied)
            try #require(found == expected, "\(place)")
            try #require(records.read == export.readable.count, "\(place)")
            try #require(try rows(of: store, &uuids, place) == lines(of: model), "\(place)")
        }
        // If two sources used one name, a store that saw the renaming treats them as one.
        if naming == .fresh { try agreesWithFresh(export, store, folder, seed) }
    }

    private func importFile(_ path: String, into store: String) throws -> ImportReport {
        var importer = ExportImporter(
            path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0,
            person: .confirmed)
        // These exports are small. Chunks of one to four records are passed in most of them.
        importer.chunks = RecordChunks(
            minimumByteCount: 1, meanByteCount: 512, maximumRecords: 4)
        return try importer.run()
    }

    /// Checks that a final complete export and a store that imported only that one have equal
    /// samples and statistics.
    private func agreesWithFresh(
        _ export: GeneratedExport, _ store: String, _ folder: TemporaryFolder, _ seed: Int
    ) throws {
        var last = export
        last.readableCount = nil
        last.date += 864_000_000
        let path = try folder.write("last.xml", last.xml)
        _ = try importFile(path, into: store)
        _ = try importFile(path, into: folder.path + "/fresh.sqlite")
        let lived = try SampleStore(at: store, access: .reading)
        let fresh = try SampleStore(at: folder.path + "/fresh.sqlite", access: .reading)
        defer {
            try? lived.close()
            try? fresh.close()
        }
        #expect(try lived.check().isEmpty, "seed \(seed)")
        let difference = try StoreContent(lived, names: .excluded)
            .difference(from: StoreContent(fresh, names: .excluded))
        #expect(difference == nil, "seed \(seed)")
    }

    /// Returns a description of every live row, and checks that its UUID hasn't changed.
    private func rows(
        of path: String, _ uuids: inout [String: String], _ place: String
    ) throws -> [String] {
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        let names = try firstNames(path)
        var lines: [String] = []
        for summary in try store.types() {
            let batch = try store.samples(SampleQuery(summary.type))
            for sample in batch.samples {
                let origin = batch.origins[Int(sample.origin)]
                let source = batch.sources[Int(origin.source)].bundleIdentifier
                let identity =
                    "\(summary.type.identifier) \(Int(sample.start)) \(Int(sample.end)) "
                    + "\(Int(sample.created)) \(source) \(sample.key & 4095)"
                let uuid = try store.uuid(of: sample)
                #expect(uuids[identity, default: uuid] == uuid, "\(place)")
                uuids[identity] = uuid
                var value = sample.value
                if origin.unit == "km" { value *= 1000 }
                var note = ""
                if case .string(let text)? = batch.metadata(of: sample)?["Note"] { note = text }
                lines.append(
                    "\(summary.type.identifier) \(Int(sample.start)) \(Int(sample.end)) "
                        + "\(Int(sample.created)) \(names[source] ?? "") "
                        + "\(sample.key & 4095) \(Int(value.rounded())) \(note)")
            }
        }
        return lines.sorted()
    }

    /// Returns the first name of each source, by bundle identifier.
    private func firstNames(_ path: String) throws -> [String: String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        let rows = try queue.read { db in
            try Row.fetchAll(db, sql: "SELECT bundle_identifier, identity FROM source")
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    private func lines(of model: ImportModel) -> [String] {
        model.live.flatMap { identity, numbers in
            numbers.map { number, content in
                "\(GeneratedRecord.types[identity.type]) \(identity.start) \(identity.end) "
                    + "\(identity.created) \(model.firstNames[identity.source]) \(number) "
                    + "\(content.value) \(content.note ?? "")"
            }
        }.sorted()
    }
}

import Foundation
import GRDB
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthArchive
@testable import HealthStorage

/// A small store with rows in every table, and all operations on a store.
struct DamagedStore {
    let folder: TemporaryFolder
    private let base: String
    private let next: String
    private static let app = "com.example.diary"
    private static let day = CivilDate(2023, 3, 9)

    /// Creates the store.
    ///
    /// - Throws: An error if a table is empty, because it wouldn't be tested.
    init() throws {
        folder = try TemporaryFolder()
        (base, next) = (folder.path + "/base.sqlite", folder.path + "/next.zip")
        let person = SyntheticPerson(seed: 1)
        // The second export removes records. The third isn't later, so it only adds some.
        let exports = [person, person.nextDayExport(omitting: 9), SyntheticPerson(seed: 2)]
        for export in exports {
            try Data(export.zip).write(to: URL(fileURLWithPath: next))
            try Self.importExport(next, into: base)
        }
        let store = try SampleStore(at: base, access: .writing)
        try Self.save(3, from: 1, into: store)
        let saved = try store.objects([SampleRequest(store.type(named: "stepCount"))])
        let own = saved.uuids.enumerated().filter { index, _ in
            let sample = saved.batch.samples[index]
            return saved.batch.sources[Int(saved.batch.origins[Int(sample.origin)].source)]
                .bundleIdentifier == Self.app
        }
        try store.delete([own[0].element], by: Self.app)
        try Self.attach(to: own[1].element, in: store)
        let steps = try store.type(named: "stepCount")
        try store.setOrder(of: steps, to: Array(store.sources(of: steps).map(\.name).suffix(1)))
        try Self.receive(saved.batch, from: 1, into: store)
        try store.setHomeZone(HomeZone(identifier: "Europe/Berlin", reason: .specified))
        try store.setDayNote("Fever", on: Self.day, now: 1)
        try store.setMedications([Medication(displayText: "Ibuprofen", generalForm: "tablet")])
        try store.setAuthorization(
            [steps.code: AuthorizationRow(share: .granted, read: .granted, earliest: 1)],
            of: Self.app)
        try store.setObjectAuthorization(
            [own[0].element: true], of: steps.code, for: Self.app)
        try store.write { db in
            try SegmentWriter.fill(db, SegmentWriter.Sizes(full: 8, minimum: 2, round: .max))
        }
        try store.close()
        try requireFilled()
    }

    private func requireFilled() throws {
        let queue = try DatabaseQueue(path: base)
        defer { try? queue.close() }
        let empty = try queue.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' "
                    + "AND name NOT LIKE 'sqlite_%'"
            ).filter { try Int.fetchOne(db, sql: "SELECT 1 FROM \($0) LIMIT 1") == nil }
        }
        try #require(empty == [], "tables that nothing is in")
    }

    private static func importExport(_ path: String, into store: String) throws {
        var importer = ExportImporter(
            path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 1,
            person: .confirmed)
        importer.chunks = RecordChunks(
            minimumByteCount: 1, meanByteCount: 512, maximumRecords: 4)
        _ = try importer.run()
    }

    private static func save(_ count: Int, from first: UInt64, into store: SampleStore) throws {
        var batch = SampleBatch(
            sources: [Source(name: "Diary", bundleIdentifier: app)],
            origins: [Origin(source: 0, version: "1", unit: "count")])
        let type = try store.type(named: "stepCount").code
        for index in 0..<count {
            let start = 700_000_000 + Double(index) * 60
            batch.metadata.append([
                "HKMetadataKeySyncIdentifier": .string("\(index)"),
                "HKMetadataKeySyncVersion": .number(1),
            ])
            batch.samples.append(
                Sample(type: type, origin: 0, start: start, end: start + 60, value: 5))
            batch.samples[index].metadata = Int32(index)
        }
        let uuids = (0..<UInt64(count)).map { SampleUUID(high: 0x4000, low: first + $0) }
        try store.save(batch, uuids: uuids, at: 700_001_000)
    }

    private static func attach(to sample: SampleUUID, in store: SampleStore) throws {
        let new = StoredAttachment(
            identifier: SampleUUID(high: 0x4001, low: 1), name: "scan.pdf",
            contentType: "com.adobe.pdf", size: 0, created: 1)
        let staging = try store.stageAttachment(new, on: sample, by: app, at: 1)
        let bytes = [UInt8](repeating: 7, count: StoredAttachment.chunkSize + 3)
        try bytes.withUnsafeBytes { try staging.append($0, at: 1) }
        try staging.publish()
    }

    // MARK: - Damaged copies

    /// Damages a copy and runs all operations on it. Returns how many of them failed with an error.
    ///
    /// - Throws: ``UntypedError`` for an error that isn't a typed one.
    func run(seed: UInt64, report: (String) -> Void) throws -> Int {
        let path = folder.path + "/damaged.sqlite"
        for suffix in ["", "-wal", "-shm", ".lock", ".importing"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try FileManager.default.copyItem(atPath: base, toPath: path)
        var damage = StoreDamage(seed: seed)
        try damage.damage(path)
        report("\(seed): \(damage.log.joined(separator: "; "))")
        var errors = 0
        for (name, step) in steps(path) {
            do {
                try step()
            } catch is StoreError, is ArchiveError, is ImportUndoError, is PersonMismatch,
                is IntakeCursorMismatch
            {
                errors += 1
            } catch {
                throw UntypedError(step: name, error: "\(type(of: error)): \(error)")
            }
        }
        return errors
    }

    struct UntypedError: Error {
        var step: String
        var error: String
    }

    private func steps(_ path: String) -> [(String, () throws -> Void)] {
        func reading(_ body: @escaping (SampleStore) throws -> Void) -> () throws -> Void {
            { try using(SampleStore(at: path, access: .reading), body) }
        }
        func writing(_ body: @escaping (SampleStore) throws -> Void) -> () throws -> Void {
            { try using(SampleStore(at: path, access: .writing), body) }
        }
        return [
            ("check", { try using(SampleStore.forChecking(at: path)) { _ = try $0.check() } }),
            (
                "imports",
                reading { store in
                    for summary in try store.imports() {
                        _ = try store.difference(ofImport: summary.number)
                    }
                }
            ),
            ("types", reading { _ = try $0.types() }),
            ("sources", reading { _ = try $0.sources(of: nil) }),
            ("queries", reading(runQueries)),
            ("objects", reading(objects)),
            (
                "kept",
                reading { store in
                    try store.forEachRawElement { _ in }
                    try store.forEachImportedFile { _ in }
                    _ = try (store.characteristics(), store.homeZone, store.exportGaps())
                    _ = try (store.contents(), store.settingsFingerprint(for: Self.app))
                    _ = try (store.authorization(of: Self.app), store.preferredUnits())
                    _ = try store.objectAuthorization(of: Self.app)
                }
            ),
            (
                "export",
                reading { store in
                    _ = try StoreExport(store, madeAt: 0, offset: 3600)
                        .write(ExportSelection(), to: folder.path + "/damaged.zip")
                }
            ),
            ("import", { try Self.importExport(next, into: path) }),
            ("save", writing { try Self.save(2, from: 4, into: $0) }),
            ("receive", writing(receive)),
            ("totals", reading(totals)),
            ("notes", writing(notes)),
            ("attachments", writing(attachments)),
            ("delete", writing(delete)),
            (
                "undo",
                writing { store in
                    if let newest = try store.imports().first {
                        try store.undoImport(newest.number)
                    }
                }
            ),
            ("rebuild", writing { try $0.rebuildSegments() }),
        ]
    }

    private func notes(_ store: SampleStore) throws {
        _ = try store.dayNotes(CivilDate.supportedRange)
        _ = try store.medications()
        try store.setMedications([Medication(displayText: "Aspirin")])
        try store.setDayNote("Fever again", on: Self.day, now: 2)
    }

    private func attachments(_ store: SampleStore) throws {
        let saved = try store.objects([SampleRequest(store.type(named: "stepCount"))])
        for uuid in saved.uuids.prefix(20) {
            for attachment in try store.attachments(of: uuid) {
                _ = try store.chunk(1, of: attachment, on: uuid)
                try store.removeAttachment(attachment.identifier, from: uuid, by: Self.app)
            }
        }
        try store.removeStaleAttachments(at: 1e9)
    }

    private func delete(_ store: SampleStore) throws {
        _ = try store.delete(SampleRequest(store.type(named: "stepCount")), by: Self.app)
        _ = try store.purgeTombstones(through: .max)
    }

    private func using(_ store: SampleStore, _ body: (SampleStore) throws -> Void) throws {
        defer { try? store.close() }
        try body(store)
    }

    private func runQueries(_ store: SampleStore) throws {
        let calendar = CalendarBuckets(timeZone: .gmt)
        for name in ["stepCount", "heartRate", "bodyMass", "sleepAnalysis"] {
            let type = try store.type(named: name)
            var rules = StatisticsRules()
            for separation in [StatisticsRules().separation, .bySource] {
                rules.separation = separation
                let edges = Array(
                    stride(from: 699_900_000.0, through: 700_400_000, by: 43_200))
                if type.aggregation != nil {
                    _ = try store.statistics(SampleQuery(type), over: edges, rules: rules)
                }
            }
            _ = try store.extent(of: SampleQuery(type))
            _ = try store.samples(SampleQuery(type))
            if type.aggregation == .cumulative {
                _ = try store.explanation(
                    of: SampleQuery(type, from: 700_000_000, to: 700_086_400))
            }
        }
        let lines = SampleLines(.jsonLines, calendar)
        try store.forEachExportedBatch(ExportSelection(), routes: .inline) { exported in
            _ = lines.text(exported)
        }
    }

    private func objects(_ store: SampleStore) throws {
        for summary in try store.types() {
            let found = try store.objects([SampleRequest(summary.type)])
            for (_, detail) in found.batch.details {
                guard case .workout(let workout) = detail else { continue }
                for number in workout.routes.compactMap(\.storedPoints) {
                    _ = try store.routePoints(number)
                }
            }
            _ = try store.changes([SampleRequest(summary.type)], after: 0)
        }
    }
}

import Foundation
import HealthArchive
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// Exports with tags removed, duplicated, swapped or inserted: no crash, every record accounted
/// for, and no deletion because of a damaged file.
@Suite(.inTestAll) struct ImportMutationTests {
    private let folder: TemporaryFolder
    private let base: String

    init() throws {
        folder = try TemporaryFolder()
        base = folder.path + "/base.sqlite"
        let path = try folder.write("whole.xml", MutatedExport.intact.text(day: 1))
        let report = try ExportImporter(
            path: path, store: base, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
        try #require(report.isComplete && report.unknownElements == ["StateOfMind": 1])
        try #require(report.outcome.records.new == 8 && report.outcome.records.repeated == 1)
    }

    @Test("a file without one start or end tag is incomplete, and deletes nothing")
    func lostTags() throws {
        for index in MutatedExport.intact.pairedTags {
            var export = MutatedExport.intact
            let tag = export.tags.remove(at: index)
            let report = try #require(try importExport(export.text(day: 2), "without \(tag)"))
            #expect(!report.isComplete, "without \(tag)")
            // If an element's start is missing, its remaining content must not hide other records.
            #expect(report.outcome.records.read >= 8, "without \(tag)")
        }
    }

    @Test("any damage gives a valid store without loss, or a typed error")
    func mutations() throws {
        let seconds = ProcessInfo.processInfo.environment["OPENHEALTH_FUZZ_SECONDS"].flatMap(
            Int.init)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds ?? 0)
        // Not a fresh seed, since the counts below need not hold for each one.
        let first = TestTier.givenSeed ?? 0
        var seed = first
        var (imported, damaged) = (0, 0)
        while seconds == nil ? seed - first < 60 : clock.now < end {
            var random = SeededRandom(seed: seed)
            var export = MutatedExport.intact
            for _ in 0..<Int.random(in: 1...5, using: &random) { export.damage(using: &random) }
            if let report = try importExport(export.text(day: 2), "seed \(seed)") {
                imported += 1
                damaged += report.isComplete ? 0 : 1
            }
            seed &+= 1
        }
        print("\(seed - first) mutated exports, \(imported) read, \(damaged) of them damaged")
        #expect(imported > 30 && damaged > 10)
    }

    /// Imports a file over the complete one, and alone. Returns nil if it is refused.
    private func importExport(_ text: String, _ place: String) throws -> ImportReport? {
        let path = try folder.write("mutated.xml", text)
        let store = folder.path + "/copy.sqlite"
        let fresh = folder.path + "/fresh.sqlite"
        for file in [store, fresh] {
            for suffix in ["", "-wal", "-shm", ".lock"] {
                try? FileManager.default.removeItem(atPath: file + suffix)
            }
        }
        try FileManager.default.copyItem(atPath: base, toPath: store)
        let before = try uuids(store)
        do {
            for target in [fresh, store] {
                let report = try ExportImporter(
                    path: path, store: target, systemTimeZone: "UTC", now: 1,
                    person: .confirmed
                ).run()
                try #require(report.contentsFailure == nil, "\(place)")
                #expect(report.unexplainedElements.isEmpty, "\(place)")
                if !report.isComplete {
                    #expect(report.outcome.kind == .partial, "\(place)")
                    #expect(report.outcome.vanished == 0, "\(place)")
                    #expect(report.outcome.records.changed == 0, "\(place)")
                    if target == store {
                        #expect(before.isSubset(of: try uuids(store)), "\(place)")
                    }
                }
                let state = try StoreState.of(target)
                try #require(state.isValid, "\(place)")
                _ = try uuids(target)
                if target == store { return report }
            }
        } catch let error as ArchiveError {
            #expect(try StoreState.of(fresh) == .absent, "\(place): \(error)")
            #expect(try uuids(store) == before, "\(place): \(error)")
        }
        return nil
    }

    /// Returns the UUIDs of all samples, which are read with all their parts.
    private func uuids(_ path: String) throws -> Set<String> {
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        var uuids: Set<String> = []
        for summary in try store.types() {
            for sample in try store.samples(SampleQuery(summary.type)).samples {
                uuids.insert(try store.uuid(of: sample))
            }
        }
        return uuids
    }
}

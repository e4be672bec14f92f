import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// Undoing the newest import: every result is as before, and the undo is reported as changes.
@Suite struct ImportUndoTests {
    /// The content of a watcher that has applied every change so far.
    private struct SampleCopy: Equatable {
        var samples: [String: String] = [:]
        var sequence: Int64 = 0

        static let types: [SampleType] = [
            .steps, .heartRate, .pressure, .systolic, .diastolic, .workout,
        ]

        mutating func update(from store: SampleStore) throws {
            let changes = try store.changes(
                SampleCopy.types.map { SampleRequest($0) }, after: sequence)
            for deleted in changes.deleted { samples["\(deleted.uuid)"] = nil }
            let batch = changes.samples.batch
            for index in 0..<changes.samples.count {
                let sample = batch.samples[index]
                samples["\(changes.samples.uuids[index])"] =
                    "\(sample.start) \(sample.end) \(sample.value) "
                    + "\(batch.metadata(of: sample) ?? [:])"
            }
            sequence = changes.sequence
        }
    }

    @Test(
        "two exports of one person, the second undone: results as before, copies the same",
        arguments: 0..<TestTier.count(quick: 5, all: 20, torture: 1_000))
    func twoExports(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let file = try TemporaryStore()
        var export = RandomExport(using: &random)
        try file.add(export.recording)
        let store = try file.open()
        defer { try? store.close() }
        if seed % 2 == 0 { try save(into: store) }
        if seed % 3 == 0 {
            export.edit(using: &random)
            try file.add(export.recording)
        }
        let number = try #require(try store.imports().first).number
        let before = try StoreQueryDump(store)
        var current = SampleCopy()
        try current.update(from: store)
        var delayed = current
        for _ in 0..<3 { export.edit(using: &random) }
        try file.add(export.recording)
        let imported = try StoreQueryDump(store)
        try current.update(from: store)
        try store.undoImport(number + 1)
        let after = try StoreQueryDump(store)
        #expect(after.difference(from: before) == [], "seed \(seed)")
        try current.update(from: store)
        try delayed.update(from: store)
        var complete = SampleCopy()
        try complete.update(from: store)
        #expect(current == complete, "seed \(seed)")
        #expect(delayed == complete, "seed \(seed)")
        try importAgain(file, export, imported, seed)
    }

    /// Imports the undone export again, and checks that the results equal those of its first
    /// import.
    private func importAgain(
        _ file: TemporaryStore, _ export: RandomExport, _ imported: StoreQueryDump, _ seed: Int
    ) throws {
        try file.add(export.recording)
        let store = try file.open(.reading)
        defer { try? store.close() }
        let place = "seed \(seed)"
        #expect(try StoreQueryDump(store).withoutNumbers == imported.withoutNumbers, "\(place)")
    }

    /// Saves samples as programs do beside an import, associated with imported ones.
    private func save(into store: SampleStore) throws {
        try store.save(1, .steps, 30, 90, 5)
        var saved = SavedBatch()
        saved.add(.heartRate, 10, 10, 1, uuid: 2)
        saved.add(.workout, 0, 2000, uuid: 3, detail: .workout(Workout(activityType: 37)))
        try store.save(saved)
        // Imported samples associated with a saved workout, and a saved one in an imported
        // correlation.
        try store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO membership (parent, child)
                    SELECT (SELECT sequence FROM sample WHERE uuid = ?1), sequence
                    FROM sample WHERE uuid IS NULL AND type = ?2 AND sequence % 2 = 0
                    """, arguments: [Data(3 as SampleUUID), SampleType.steps.code])
            try db.execute(
                sql: """
                    INSERT INTO membership (parent, child)
                    SELECT sequence, (SELECT sequence FROM sample WHERE uuid = ?1)
                    FROM sample WHERE uuid IS NULL AND type = ?2 AND sequence % 2 = 0
                    """, arguments: [Data(2 as SampleUUID), SampleType.pressure.code])
        }
    }

    @Test(
        "an import that only adds is undone as well",
        arguments: [SnapshotOutcome.Kind.addition, .partial],
        0..<TestTier.count(quick: 2, all: 6, torture: 300))
    func additions(kind: SnapshotOutcome.Kind, seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let file = try TemporaryStore()
        var export = RandomExport(using: &random)
        try file.add(export.recording)
        let store = try file.open()
        defer { try? store.close() }
        if seed % 2 == 0 { try save(into: store) }
        let before = try StoreQueryDump(store)
        var current = SampleCopy()
        try current.update(from: store)
        for _ in 0..<3 { export.edit(using: &random) }
        #expect(try file.add(export.recording, as: kind).kind == kind)
        let imported = try StoreQueryDump(store)
        try current.update(from: store)
        try store.undoImport(2)
        #expect(try StoreQueryDump(store).difference(from: before) == [], "\(kind), seed \(seed)")
        try current.update(from: store)
        var complete = SampleCopy()
        try complete.update(from: store)
        #expect(current == complete, "\(kind), seed \(seed)")
        try file.add(export.recording, as: kind)
        #expect(
            try StoreQueryDump(store).withoutNumbers == imported.withoutNumbers,
            "\(kind), seed \(seed)")
    }

    @Test(
        "imports are undone one after another down to the first, each difference as it was",
        arguments: 0..<TestTier.count(quick: 2, all: 6, torture: 300))
    func chain(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let file = try TemporaryStore()
        try file.open(.creating).close()
        let store = try file.open()
        defer { try? store.close() }
        if seed % 2 == 0 { try store.save(1, .steps, 30, 90, 5) }
        var export = RandomExport(using: &random)
        var states = [try StoreQueryDump(store)]
        var differencesByImport: [[String]] = [[]]
        func differences() throws -> [String] {
            try store.imports().reversed().map { summary in
                let difference = try store.difference(ofImport: summary.number)
                let types = difference.types.map {
                    "\($0.type.name) \($0.new) \($0.changed) \($0.vanished) \($0.first) \($0.last) "
                        + "\($0.reasons.map { "\($0.key) \($0.value)" }.sorted())"
                }
                return "\(summary.number) \(types) \(difference.renamed) \(difference.newSources)"
            }
        }
        func importNext() throws {
            try file.add(export.recording)
            states.append(try StoreQueryDump(store))
            differencesByImport.append(try differences())
            for _ in 0..<3 { export.edit(using: &random) }
        }
        var copy = SampleCopy()
        for _ in 0..<4 { try importNext() }
        // Two imports back, two forward, and back to none.
        for step in [-1, -1, 1, 1, -1, -1, -1, -1] {
            if step > 0 {
                try importNext()
            } else {
                try copy.update(from: store)
                try store.undoImport(Int64(states.count - 1))
                states.removeLast()
                differencesByImport.removeLast()
            }
            let place = "seed \(seed), \(states.count - 1) imports"
            let dump = try StoreQueryDump(store)
            #expect(dump.difference(from: try #require(states.last)) == [], "\(place)")
            #expect(try differences() == differencesByImport.last, "\(place)")
            try copy.update(from: store)
            var complete = SampleCopy()
            try complete.update(from: store)
            #expect(copy == complete, "\(place)")
        }
        #expect(states.count == 1)
    }

    @Test("the first import can be undone")
    func first() throws {
        let file = try TemporaryStore()
        try file.open(.creating).close()
        let store = try file.open()
        let empty = try StoreQueryDump(store)
        var random = SeededRandom(seed: 1)
        let export = RandomExport(using: &random)
        try file.add(export.recording)
        let outcome = try store.undoImport(1)
        #expect(outcome.removed == 30 + export.pressures.count * 2)
        #expect(try StoreQueryDump(store).difference(from: empty) == [])
    }
}

extension StoreQueryDump {
    /// The lines without the parts that differ in a second import of the same file: time and row
    /// numbers.
    fileprivate var withoutNumbers: [String] {
        lines.filter { !$0.contains("ImportSummary") && !$0.hasPrefix("[") }
    }
}

extension Data {
    /// The bytes of a UUID, as stored in `sample.uuid`.
    fileprivate init(_ uuid: SampleUUID) {
        self.init()
        for word in [uuid.high, uuid.low] {
            Swift.withUnsafeBytes(of: word.bigEndian) { append(contentsOf: $0) }
        }
    }
}

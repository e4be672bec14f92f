import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// Undoing the newest import: every answer is as before, and the undo is reported as changes.
@Suite struct ImportUndoTests {
    /// The content of a watcher that has applied every change so far.
    private struct Mirror: Equatable {
        var samples: [String: String] = [:]
        var sequence: Int64 = 0

        static let types: [SampleType] = [
            .steps, .heartRate, .pressure, .systolic, .diastolic, .workout,
        ]

        mutating func follow(_ store: SampleStore) throws {
            let changes = try store.changes(
                Mirror.types.map { SampleRequest($0) }, after: sequence)
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
        "two exports of one person, the second undone: every answer as before, every mirror the same",
        arguments: 0..<TestTier.count(quick: 5, all: 20, torture: 1_000))
    func worlds(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let file = try TemporaryStore()
        var world = ImportWorld(using: &random)
        try file.add(world.recording)
        let store = try file.open()
        defer { try? store.close() }
        if seed % 2 == 0 { try save(into: store) }
        if seed % 3 == 0 {
            world.edit(using: &random)
            try file.add(world.recording)
        }
        let number = try #require(try store.imports().first).number
        let before = try StoreQueryDump(store)
        var through = Mirror()
        try through.follow(store)
        var late = through
        for _ in 0..<3 { world.edit(using: &random) }
        try file.add(world.recording)
        let brought = try StoreQueryDump(store)
        try through.follow(store)
        try store.undoImport(number + 1)
        let after = try StoreQueryDump(store)
        #expect(after.difference(from: before) == [], "seed \(seed)")
        try through.follow(store)
        try late.follow(store)
        var fresh = Mirror()
        try fresh.follow(store)
        #expect(through == fresh, "seed \(seed)")
        #expect(late == fresh, "seed \(seed)")
        try again(file, world, brought, seed)
    }

    /// Imports the undone export again, and checks that the answers equal those of its first
    /// import.
    private func again(
        _ file: TemporaryStore, _ world: ImportWorld, _ brought: StoreQueryDump, _ seed: Int
    ) throws {
        try file.add(world.recording)
        let store = try file.open(.reading)
        defer { try? store.close() }
        let place = "seed \(seed)"
        #expect(try StoreQueryDump(store).withoutNumbers == brought.withoutNumbers, "\(place)")
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
        "an import that only added is undone as well",
        arguments: [SnapshotOutcome.Kind.addition, .partial],
        0..<TestTier.count(quick: 2, all: 6, torture: 300))
    func additions(kind: SnapshotOutcome.Kind, seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let file = try TemporaryStore()
        var world = ImportWorld(using: &random)
        try file.add(world.recording)
        let store = try file.open()
        defer { try? store.close() }
        if seed % 2 == 0 { try save(into: store) }
        let before = try StoreQueryDump(store)
        var through = Mirror()
        try through.follow(store)
        for _ in 0..<3 { world.edit(using: &random) }
        #expect(try file.add(world.recording, as: kind).kind == kind)
        let brought = try StoreQueryDump(store)
        try through.follow(store)
        try store.undoImport(2)
        #expect(try StoreQueryDump(store).difference(from: before) == [], "\(kind), seed \(seed)")
        try through.follow(store)
        var fresh = Mirror()
        try fresh.follow(store)
        #expect(through == fresh, "\(kind), seed \(seed)")
        try file.add(world.recording, as: kind)
        #expect(
            try StoreQueryDump(store).withoutNumbers == brought.withoutNumbers,
            "\(kind), seed \(seed)")
    }

    @Test(
        "imports are taken back one after another down to the first, each told as it was",
        arguments: 0..<TestTier.count(quick: 2, all: 6, torture: 300))
    func chain(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let file = try TemporaryStore()
        try file.open(.creating).close()
        let store = try file.open()
        defer { try? store.close() }
        if seed % 2 == 0 { try store.save(1, .steps, 30, 90, 5) }
        var world = ImportWorld(using: &random)
        var states = [try StoreQueryDump(store)]
        var told: [[String]] = [[]]
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
        func bring() throws {
            try file.add(world.recording)
            states.append(try StoreQueryDump(store))
            told.append(try differences())
            for _ in 0..<3 { world.edit(using: &random) }
        }
        var mirror = Mirror()
        for _ in 0..<4 { try bring() }
        // Two imports back, two forward, and back to none.
        for step in [-1, -1, 1, 1, -1, -1, -1, -1] {
            if step > 0 {
                try bring()
            } else {
                try mirror.follow(store)
                try store.undoImport(Int64(states.count - 1))
                states.removeLast()
                told.removeLast()
            }
            let place = "seed \(seed), \(states.count - 1) imports"
            let answers = try StoreQueryDump(store)
            #expect(answers.difference(from: try #require(states.last)) == [], "\(place)")
            #expect(try differences() == told.last, "\(place)")
            try mirror.follow(store)
            var fresh = Mirror()
            try fresh.follow(store)
            #expect(mirror == fresh, "\(place)")
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
        let world = ImportWorld(using: &random)
        try file.add(world.recording)
        let outcome = try store.undoImport(1)
        #expect(outcome.removed == 30 + world.pressures.count * 2)
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

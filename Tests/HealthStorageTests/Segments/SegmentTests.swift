import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Synchronization
import Testing

@testable import HealthStorage

@Suite("segments change no answer")
struct SegmentTests {
    private static let torture = TestTier.isTorture

    @Test(
        "after any edits, statistics from segments and remembered answers are those of the rows",
        arguments: 0..<TestTier.count(quick: 10, all: 40, torture: 2_000))
    func randomEdits(seed: Int) throws {
        var world = EditedWorld(seed: UInt64(seed))
        let store = try SampleStore.inMemory()
        for step in 0..<40 {
            try world.edit(store)
            let asked = world.question()
            // Without this, cached answers would be returned and segments wouldn't be read.
            if step % 3 > 0 { store.statisticsCache.withLock { $0 = StatisticsCache() } }
            let answer = try store.statistics(
                asked.question, over: asked.edges, rules: asked.rules)
            let expected = try store.atOnce(asked.question, asked.edges, asked.rules)
            #expect(answer.buckets == expected.quantities, "seed \(seed), step \(step)")
            #expect(answer.skipped == expected.skipped, "seed \(seed), step \(step)")
        }
        try #expect(store.check() == [], "seed \(seed)")
    }

    /// Creates a store with more than two full segments of heart rate.
    private func store() throws -> TemporaryStore {
        let file = try TemporaryStore()
        var recording = Recording()
        for index in 0..<10_000 {
            let start = Double(index) * 60
            recording.add(
                .heartRate, "Watch", start, start, Double(60 + index % 40), device: .watch)
        }
        try file.add(recording)
        return file
    }

    private func segments(_ store: SampleStore) throws -> [Int] {
        try store.read { try SegmentRange.all(of: SampleType.heartRate.code, $0).map(\.count) }
    }

    @Test("a first import builds them, an edit drops one, and edits that add up build it again")
    func upkeep() throws {
        let store = try store().open()
        #expect(try segments(store) == [2048, 2048, 2048, 2048, 1808])
        try store.save(1, .heartRate, 5000 * 60 + 1)
        #expect(try segments(store) == [2048, 2048, 2048, 1808])
        for number in 0..<512 {
            try store.save(SampleUUID(number: 100 + number), .bodyMass, Double(number))
        }
        #expect(try segments(store) == [2048, 2048, 2048, 2048, 1808])
        let question = SampleQuery(.heartRate)
        let edges = stride(from: 0, through: 601_200, by: 3600).map { Double($0) }
        let answer = try store.statistics(question, over: edges)
        #expect(try answer.buckets == store.atOnce(question, edges, .init()).quantities)
        #expect(answer.buckets.reduce(0) { $0 + $1.merged.count } == 10_001)
    }

    @Test("a stream of new samples leaves few segments, all of a size worth having")
    func stream() throws {
        let store = try SampleStore.inMemory()
        for round in 0..<40 {
            var saved = SavedBatch()
            for number in 0..<256 {
                let place = round * 256 + number
                saved.add(
                    .heartRate, Double(place), nil, 60, uuid: SampleUUID(number: place + 1))
            }
            try store.save(saved)
        }
        let counts = try segments(store)
        #expect(counts.count <= 10 && counts.reduce(0, +) == 10_240, "\(counts)")
        #expect(try store.check() == [])
    }

    @Test(
        "an answer is remembered across another connection's edits, and told anew", .inTestAll)
    func otherConnection() throws {
        let file = try store()
        let (one, other) = (try file.open(.reading), try file.open())
        let edges = stride(from: 0, through: 601_200, by: 3600).map { Double($0) }
        let question = SampleQuery(.heartRate)
        func expectFresh(_ comment: Comment) throws {
            let answer = try one.statistics(question, over: edges)
            #expect(try answer.buckets == one.atOnce(question, edges, .init()).quantities, comment)
        }
        try expectFresh("first asked")
        try other.save(1, .heartRate, 7200)
        try expectFresh("one added")
        try other.delete([1], by: SavedBatch.identifier("walks"))
        try expectFresh("it is gone")
        for number in 0..<Schema.keptEdits + 10 {
            try other.save(SampleUUID(number: 100 + number), .heartRate, Double(number * 500))
        }
        try expectFresh("more edits than are kept")
        try other.set(.excluded, of: "Watch", in: .heartRate)
        try expectFresh("a source excluded")
    }

    @Test("what was remembered of an empty store doesn't outlive its first import")
    func firstImport() throws {
        let file = try TemporaryStore()
        _ = try file.open(.creating)
        let store = try file.open(.reading)
        let edges: [Double] = [0, 3600, 7200]
        #expect(try store.statistics(SampleQuery(.steps), over: edges).buckets.isEmpty)
        var recording = Recording()
        recording.add(.steps, "Phone", 60, 120, 10, device: .phone)
        try file.add(recording)
        let answer = try store.statistics(SampleQuery(.steps), over: edges)
        #expect(answer.buckets.map(\.merged.sum) == [10])
    }

    @Test("a segment that lies is found, and rebuilding heals it without changing an answer")
    func rebuild() throws {
        let file = try store()
        let edges: [Double] = [0, 86400 * 7]
        let before = try file.open(.reading).statistics(SampleQuery(.heartRate), over: edges)
        // Replaces the first distinct value, 60.
        try file.damage(
            "UPDATE segment SET content = CAST(substr(content, 1, 28) || x'FF' "
                + "|| substr(content, 30) AS BLOB) WHERE start_time = 0")
        let store = try file.open()
        #expect(
            try store.check()
                == [InvariantViolation(invariant: "segments match the samples", count: 1)])
        try store.rebuildSegments()
        #expect(try store.check() == [])
        let after = try store.statistics(SampleQuery(.heartRate), over: edges)
        #expect(after.buckets == before.buckets)
    }

    @Test("a segment that can't be read is an error that says what is damaged, and no wrong number")
    func unreadable() throws {
        let file = try store()
        try file.damage("UPDATE segment SET content = x'0101'")
        let store = try file.open()
        let error = #expect(throws: StoreError.self) {
            try store.statistics(SampleQuery(.heartRate), over: [0, 1000])
        }
        #expect(error?.code == .corrupt)
        #expect(
            error?.description
                == "The data for fast statistics is damaged, but the samples are intact.")
        #expect(try store.check().map(\.count) == [5])
    }

    @Test("a sample of many days counts in both halves of a merge")
    func longSamplesInHalves() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        let day = 86_400.0
        recording.add(.steps, "Phone", 0, 30 * day, 3000, device: .phone)
        // Without short samples, the source would be excluded as one of day totals (§1.11).
        for minute in 0..<9 {
            let start = Double(minute) * 60
            recording.add(.steps, "Phone", start, start + 60, 1, device: .phone)
        }
        for index in 0..<6000 where index % 200 < 100 {
            let start = Double(index) * day / 200
            recording.add(.steps, "Watch", start, start + 60, 10, device: .watch)
        }
        try file.add(recording)
        let store = try file.open()
        var question = SampleQuery(.steps)
        question.parallelThreshold = 1
        let edges = (0...30).map { Double($0) * day }
        let answer = try store.statistics(question, over: edges)
        #expect(try answer.buckets == store.atOnce(question, edges, .init()).quantities)
        #expect(answer.buckets.allSatisfy { ($0.merged.sum ?? 0) > 1040 })
    }

    @Test("samples that all begin together stay rows, and count")
    func oneMoment() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        for index in 0..<70_000 {
            recording.add(.heartRate, "Watch", 0, 0, Double(index % 90), created: Double(index))
        }
        for index in 1..<5000 {
            recording.add(.heartRate, "Watch", Double(index), Double(index), 5)
        }
        try file.add(recording)
        let store = try file.open()
        #expect(try segments(store).reduce(0, +) < 5000)
        let answer = try store.statistics(SampleQuery(.heartRate), over: [0, 1, 10_000])
        #expect(answer.buckets.map(\.merged.count) == [70_000, 4999])
        #expect(try store.check() == [])
    }
}

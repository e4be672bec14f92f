import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Synchronization
import Testing

@testable import HealthStorage

@Suite("segments change no result")
struct SegmentTests {
    private static let torture = TestTier.isTorture

    @Test(
        "after any edits, statistics from segments and cached results are those of the rows",
        arguments: TestTier.seeds(TestTier.count(quick: 10, all: 40, torture: 2_000), from: 0)
            + [5641, 5744])
    func randomEdits(seed: UInt64) throws {
        var editor = RandomStoreEditor(seed: seed)
        let store = try SampleStore.inMemory()
        for step in 0..<40 {
            try editor.edit(store)
            let parameters = editor.statisticsParameters()
            // Without this, cached results would be returned and segments wouldn't be read.
            if step % 3 > 0 { store.statisticsCache.withLock { $0 = StatisticsCache() } }
            let result = try store.statistics(
                parameters.query, over: parameters.edges, rules: parameters.rules)
            let expected = try store.statisticsInMemory(
                parameters.query, parameters.edges, parameters.rules)
            #expect(result.buckets == expected.quantities, "seed \(seed), step \(step)")
            #expect(result.skipped == expected.skipped, "seed \(seed), step \(step)")
            try expectFiltered(parameters, in: store, "seed \(seed), step \(step)")
        }
        try #expect(store.check() == [], "seed \(seed)")
    }

    /// Expects that statistics of a request are those of the rows that match its filter.
    private func expectFiltered(
        _ parameters: RandomStoreEditor.StatisticsParameters, in store: SampleStore,
        _ comment: Comment
    ) throws {
        let query = parameters.query
        let filter = SampleFilter.and([
            query.originFilter, .test(.start, .compare(.atLeast, .date(40))),
        ])
        let request = SampleRequest(query.type, filter)
        let result = try store.statistics(
            request, over: parameters.edges, rules: parameters.rules,
            visibility: query.visibility, unit: query.type.displayUnit)
        let expected = try store.statisticsInMemory(
            request, parameters.edges, parameters.rules, query.visibility)
        #expect(result.buckets == expected, comment)
    }

    @Test("a segment has all creation dates if the next sample can start with its last one")
    func creationDates() throws {
        var columns = SampleColumns()
        columns.start = [1, 2]
        columns.end = [1, 2]
        columns.value = [60, 61]
        columns.created = [5, 6]
        for (next, expected) in [(3.0, [5.0]), (2.0, [5.0, 6.0])] {
            var read = SampleColumns()
            let bytes = PackedColumns.bytes(of: columns, origins: [1], before: next)
            try bytes.withUnsafeBytes { bytes in
                try PackedColumns.read(bytes, into: &read) { Int32(clamping: $0) }
            }
            #expect(read.created == expected)
        }
    }

    @Test("a segment without a creation date that it needs fails the check; version 7 drops it")
    func missingCreationDate() throws {
        let file = try store()
        try file.damage(
            "UPDATE segment SET until_time = \(9_999 * 60), until_key = \(Int64.max) "
                + "WHERE start_time = (SELECT max(start_time) FROM segment)")
        let store = try file.open()
        #expect(try !store.check().isEmpty)
        try file.damage(Schema.dropSegmentsWithUnknownOrder)
        #expect(try store.check().isEmpty)
        #expect(try segments(store) == [2048, 2048, 2048, 2048])
    }

    @Test("one source, and filters on sources and devices, are read from segments")
    func oneSource() throws {
        let file = try store()
        let source = try #require(try file.open(.reading).sources(of: .heartRate).first)
        try file.damage("UPDATE segment SET content = x'0101'")
        let store = try file.open(.reading)
        let isWatch = SampleFilter.test(.sourceName, .compare(.equal, .string("Watch")))
        let onWatch = SampleFilter.test(
            .device(.hardwareVersion), .text(.beginsWith, "Watch", .significant))
        for filter in [isWatch, .not(isWatch), .or([isWatch, onWatch])] {
            #expect(throws: StoreError(.damagedSegments)) {
                try store.statistics(SampleRequest(.heartRate, filter), over: [0, 1000])
            }
        }
        let grant = Visibility.Grant(earliest: 60, onlySource: 1)
        for query in [
            SampleQuery(.heartRate, sources: [source.name]),
            SampleQuery(.heartRate, visibility: Visibility(others: grant)),
        ] {
            #expect(throws: StoreError(.damagedSegments)) {
                try store.statistics(query, over: [0, 1000])
            }
        }
        // Segments have no values of metadata.
        let other = SampleFilter.test(.metadata("HKWasUserEntered"), .compare(.equal, .null))
        let result = try store.statistics(SampleRequest(.heartRate, other), over: [0, 1000])
        #expect(result.buckets.map(\.merged.count) == [17])
    }

    @Test("a second thread that has samples left to add stops if the rest can't be read")
    func unreadableEnd() throws {
        let file = try store()
        try file.damage(
            "UPDATE segment SET content = x'0101' "
                + "WHERE start_time = (SELECT max(start_time) FROM segment)")
        let store = try file.open(.reading)
        var query = SampleQuery(.heartRate)
        query.partsUntilThread = 0
        #expect(throws: StoreError(.damagedSegments)) {
            try store.statistics(query, over: [0, 1000, 700_000])
        }
        query.to = 300_000
        #expect(try store.statistics(query, over: [0, 1000]).buckets.map(\.merged.count) == [17])
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
    func maintenance() throws {
        let store = try store().open()
        #expect(try segments(store) == [2048, 2048, 2048, 2048, 1808])
        try store.save(1, .heartRate, 5000 * 60 + 1)
        #expect(try segments(store) == [2048, 2048, 2048, 1808])
        for number in 0..<512 {
            try store.save(SampleUUID(number: 100 + number), .bodyMass, Double(number))
        }
        #expect(try segments(store) == [2048, 2048, 2048, 2048, 1808])
        let query = SampleQuery(.heartRate)
        let edges = stride(from: 0, through: 601_200, by: 3600).map { Double($0) }
        let result = try store.statistics(query, over: edges)
        let expected = try store.statisticsInMemory(query, edges, .init()).quantities
        #expect(result.buckets == expected)
        #expect(result.buckets.reduce(0) { $0 + $1.merged.count } == 10_001)
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
        "a cached result is recalculated after another connection's edits", .inTestAll)
    func otherConnection() throws {
        let file = try store()
        let (reader, writer) = (try file.open(.reading), try file.open())
        let edges = stride(from: 0, through: 601_200, by: 3600).map { Double($0) }
        let query = SampleQuery(.heartRate)
        func expectCurrent(_ comment: Comment) throws {
            let result = try reader.statistics(query, over: edges)
            let expected = try reader.statisticsInMemory(query, edges, .init()).quantities
            #expect(result.buckets == expected, comment)
        }
        try expectCurrent("first query")
        try writer.save(1, .heartRate, 7200)
        try expectCurrent("one added")
        try writer.delete([1], by: SavedBatch.identifier("walks"))
        try expectCurrent("it is deleted")
        for number in 0..<Schema.maximumEdits + 10 {
            try writer.save(SampleUUID(number: 100 + number), .heartRate, Double(number * 500))
        }
        try expectCurrent("more edits than are kept")
        try writer.set(.excluded, of: "Watch", in: .heartRate)
        try expectCurrent("a source excluded")
    }

    @Test("a cached result of an empty store is discarded by its first import")
    func firstImport() throws {
        let file = try TemporaryStore()
        _ = try file.open(.creating)
        let store = try file.open(.reading)
        let edges: [Double] = [0, 3600, 7200]
        #expect(try store.statistics(SampleQuery(.steps), over: edges).buckets.isEmpty)
        var recording = Recording()
        recording.add(.steps, "Phone", 60, 120, 10, device: .phone)
        try file.add(recording)
        let result = try store.statistics(SampleQuery(.steps), over: edges)
        #expect(result.buckets.map(\.merged.sum) == [10])
    }

    @Test("a wrong segment is found, and rebuilding repairs it without changing a result")
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

    @Test("a segment that can't be read is an error that names the damage, and no wrong number")
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

    @Test("a sample of many days counts on each of them, also if a second thread adds samples")
    func longSamples() throws {
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
        var query = SampleQuery(.steps)
        query.partsUntilThread = 0
        for edges in [(0...30), (20...30)].map({ $0.map { Double($0) * day } }) {
            let result = try store.statistics(query, over: edges)
            let expected = try store.statisticsInMemory(query, edges, .init()).quantities
            #expect(result.buckets == expected)
            #expect(result.buckets.allSatisfy { ($0.merged.sum ?? 0) > 1040 })
        }
    }

    @Test("samples that all begin together stay rows, and count")
    func equalStarts() throws {
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
        let result = try store.statistics(SampleQuery(.heartRate), over: [0, 1, 10_000])
        #expect(result.buckets.map(\.merged.count) == [70_000, 4999])
        #expect(try store.check() == [])
    }
}

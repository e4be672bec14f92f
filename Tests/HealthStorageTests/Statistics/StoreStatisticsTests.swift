import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("statistics through the store are those of one batch in memory")
struct StoreStatisticsTests {
    static let styles: [SampleType] = [.steps, .bodyMass, .heartRate, .sound]

    /// Creates a store of random samples of a type, with an unknown unit and possibly an excluded
    /// source.
    private func store(_ input: RandomMergeInput, _ type: SampleType) throws -> TemporaryStore {
        let file = try TemporaryStore()
        var batch = input.batch
        for index in batch.samples.indices { batch.samples[index].type = type.code }
        for index in batch.origins.indices {
            batch.origins[index].unit = index == 7 ? "furlong" : type.displayUnit
        }
        try file.add(batch, [type.identifier])
        let store = try file.open()
        for source in input.order.ranking {
            let name = input.batch.sources[Int(source)].bundleIdentifier
            if input.order.excluded.contains(source) {
                try store.set(.excluded, of: name, in: type)
            }
        }
        try store.close()
        return file
    }

    @Test("to the bit, in windows of any size", arguments: styles)
    func windows(type: SampleType) throws {
        for seed in TestTier.seeds(TestTier.count(quick: 1, all: 3, torture: 3), from: 1) {
            let input = RandomMergeInput(samples: 300, seed: seed)
            let file = try store(input, type)
            let store = try file.open(.reading)
            for change in Self.changes {
                var rules = StatisticsRules()
                rules.separation = .bySource
                rules.horizon = input.horizon
                change(&rules)
                var query = SampleQuery(type)
                for edges in [input.edges, [-Double.infinity, Double.infinity], [0, 1, 2, 3]] {
                    let expected = try store.statisticsInMemory(query, edges, rules).quantities
                    for size in [1, 2, 7, 50, 100_000] {
                        query.windowSize = size
                        let result = try store.statistics(query, over: edges, rules: rules)
                        #expect(
                            result.buckets == expected,
                            "windows of \(size), \(rules), seed \(seed)")
                        #expect(result.unit == type.displayUnit, "seed \(seed)")
                    }
                }
            }
        }
    }

    static let changes: [@Sendable (inout StatisticsRules) -> Void] = [
        { _ in }, { $0.gapTolerance = 7 }, { $0.discreteMerge = .bySourceOrder },
        { $0.horizon = .infinity },
    ]

    @Test("also for the seconds of each value of a category")
    func categories() throws {
        for seed in TestTier.seeds(TestTier.count(quick: 1, all: 3, torture: 3), from: 1) {
            let input = RandomMergeInput(samples: 300, seed: seed)
            let file = try TemporaryStore()
            var batch = input.batch
            for index in batch.samples.indices {
                batch.samples[index].type = SampleType.sleep.code
                batch.samples[index].value.round(.down)
            }
            try file.add(batch, [SampleType.sleep.identifier])
            let store = try file.open(.reading)
            for tolerance in [0.0, 7] {
                var rules = StatisticsRules()
                rules.separation = .bySource
                rules.gapTolerance = tolerance
                var query = SampleQuery(.sleep)
                let expected = try store.statisticsInMemory(query, input.edges, rules).categories
                for size in [1, 3, 40, 100_000] {
                    query.windowSize = size
                    let result = try store.categoryStatistics(
                        query, over: input.edges, rules: rules)
                    #expect(result.buckets == expected, "windows of \(size), seed \(seed)")
                }
            }
        }
    }

    /// The seed is fixed, because random samples need not contain a skipped one.
    @Test("skipped samples are counted once, however small the windows")
    func skipped() throws {
        let seed: UInt64 = 7
        let input = RandomMergeInput(samples: 400, seed: seed)
        let file = try store(input, .steps)
        let store = try file.open(.reading)
        var query = SampleQuery(.steps)
        let whole = try store.statistics(query, over: input.edges).skipped
        query.windowSize = 3
        #expect(try store.statistics(query, over: input.edges).skipped == whole, "seed \(seed)")
        #expect(whole.malformed > 0, "seed \(seed)")
    }

    @Test("an instant on a boundary counts in the bucket that begins there")
    func instantsOnBoundaries() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        for moment in [0.0, 10, 10, 10, 20, 20, 30] {
            recording.add(.steps, "A", moment, moment, 1, created: Double(recording.types.count))
        }
        try file.add(recording)
        let store = try file.open(.reading)
        var query = SampleQuery(.steps)
        for size in 1...7 {
            query.windowSize = size
            let result = try store.statistics(query, over: [0, 10, 20, 30])
            #expect(result.buckets.map(\.merged.sum) == [1, 3, 2], "windows of \(size)")
        }
    }

    @Test("a tolerated gap over a boundary hides lower sources on both sides of it")
    func toleratedGap() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        for start in [0.0, 14, 28] {
            recording.add(.steps, "Watch", start, start + 10, 10, device: .watch)
        }
        recording.add(.steps, "Phone", 0, 38, 38, device: .phone)
        try file.add(recording)
        let store = try file.open(.reading)
        var rules = StatisticsRules()
        rules.gapTolerance = 5
        let edges: [Double] = [0, 12, 26, 38]
        var query = SampleQuery(.steps)
        for size in [1, 2, 3, 100] {
            query.windowSize = size
            let result = try store.statistics(query, over: edges, rules: rules)
            #expect(result.buckets.map(\.merged.sum) == [10, 10, 10], "windows of \(size)")
        }
        for (start, end) in zip(edges, edges.dropFirst()) {
            let day = SampleQuery(.steps, from: start, to: end)
            #expect(try store.explanation(of: day, rules: rules).merged == 10)
            let mergedIntervals = try store.mergedIntervals(day, rules: rules)
            #expect(mergedIntervals.allSatisfy { $0.source.name == "Watch" })
        }
    }

    @Test("samples longer than a day reach the days they overlap")
    func longSamples() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        let day = 86400.0
        recording.add(.steps, "A", 0, 60 * day, 60_000)
        recording.add(.steps, "A", 30 * day, 30 * day + 3600, 500)
        recording.add(.steps, "A", 10 * day, Sample.undeterminedEnd, 0)
        try file.add(recording)
        let store = try file.open(.reading)
        let edges = [30 * day, 31 * day]
        let sum = try store.statistics(SampleQuery(.steps), over: edges).buckets[0].merged.sum
        #expect(sum == 1500)
        let late = try store.samples(SampleQuery(.steps, from: 59 * day, to: 60 * day))
        #expect(late.samples.map(\.start) == [0, 10 * day])
        let after = try store.samples(SampleQuery(.steps, from: 60 * day, to: 61 * day))
        #expect(after.samples.map(\.start) == [10 * day])
        let extent = try #require(try store.extent(of: SampleQuery(.steps)))
        #expect(extent == (0, 60 * day))
    }

    @Test("a range contains the samples that a check of every sample selects")
    func ranges() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let file = try TemporaryStore()
        var recording = Recording()
        for index in 0..<400 {
            let start = Double.random(in: 0...1_000_000, using: &random).rounded()
            let lengths = [0.0, 60, 86_400, 86_401, 500_000]
            let length = lengths.randomElement(using: &random) ?? 0
            recording.add(.steps, "A", start, start + length, 1, created: Double(index))
        }
        try file.add(recording)
        let store = try file.open(.reading)
        let all = try store.samples(SampleQuery(.steps)).samples
        #expect(all.count == 400, "seed \(seed)")
        #expect(SampleBatch(samples: all).isSorted, "seed \(seed)")
        let whole = try #require(try store.extent(of: SampleQuery(.steps)))
        #expect(
            try whole == (#require(all.first).start, #require(all.map(\.end).max())), "seed \(seed)"
        )
        for _ in 0..<50 {
            let sample = try #require(all.randomElement(using: &random))
            let from = [sample.start, sample.end, sample.end - 86_400].randomElement(using: &random)
            let query = SampleQuery(
                .steps, from: from ?? 0,
                to: (from ?? 0) + Double.random(in: 1...200_000, using: &random).rounded())
            let expected = all.filter {
                $0.start < query.to && ($0.end > query.from || $0.start >= query.from)
            }
            #expect(try store.samples(query).samples == expected, "\(query), seed \(seed)")
            let limited = try store.samples(query, limit: 3).samples
            #expect(limited == Array(expected.prefix(3)), "seed \(seed)")
            let extent = try store.extent(of: query)
            #expect(extent?.first == expected.first?.start, "seed \(seed)")
            #expect(extent?.last == expected.map(\.end).max(), "seed \(seed)")
        }
    }

    @Test("unmerged sums equal sums in SQL")
    func sqlSums() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        let file = try TemporaryStore()
        var recording = Recording()
        for index in 0..<500 {
            let day = Double(Int.random(in: 0..<30, using: &random)) * 86_400
            let start = day + Double.random(in: 0...80_000, using: &random)
            recording.add(
                .steps, "A", start, start + Double.random(in: 1...6000, using: &random),
                Double.random(in: 0...500, using: &random), created: Double(index))
        }
        try file.add(recording)
        let store = try file.open(.reading)
        let edges = (0...30).map { Double($0) * 86_400 }
        let result = try store.statistics(SampleQuery(.steps), over: edges)
        let rows = try store.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT CAST(start_time / 86400 AS INTEGER) AS day, sum(value) AS sum
                    FROM sample GROUP BY day ORDER BY day
                    """)
        }
        #expect(rows.count == result.buckets.count, "seed \(seed)")
        for (row, bucket) in zip(rows, result.buckets) {
            let sum: Double = row["sum"]
            #expect(bucket.start == row["day"] * 86_400.0, "seed \(seed)")
            let mergedSum = try #require(bucket.merged.sum)
            #expect(abs(mergedSum - sum) <= 1e-12 * sum, "seed \(seed)")
        }
    }

    @Test("the average of a heart rate is the area under its readings")
    func heartRate() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        let readings: [(time: Double, value: Double)] = [
            (0, 60), (300, 80), (360, 120), (4000, 70), (4010, 71),
        ]
        for reading in readings {
            recording.add(.heartRate, "Watch", reading.time, reading.time, reading.value)
        }
        try file.add(recording)
        var (area, weight) = (0.0, 0.0)
        for (a, b) in zip(readings, readings.dropFirst()) {
            let gap = min(b.time - a.time, 600)
            area += (a.value + b.value) / 2 * gap
            weight += gap
        }
        let store = try file.open(.reading)
        let values = try store.statistics(SampleQuery(.heartRate), over: [0, 7200]).buckets[0]
            .merged
        let average = try #require(values.average)
        #expect(abs(average - area / weight) < 1e-9)
        #expect((values.minimum, values.maximum) == (60, 120))
        #expect((values.mostRecent, values.mostRecentStart) == (71, 4010))
    }

    @Test("values are converted directly from their unit to the requested one")
    func units() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.bodyMass, "Scale", 0, 0, 150, unit: "lb")
        recording.add(.bodyMass, "Scale", 1, 1, 70, unit: "kg")
        recording.add(.bodyMass, "Scale", 2, 2, 70, unit: "count/min")
        try file.add(recording)
        let store = try file.open(.reading)
        let query = SampleQuery(.bodyMass)
        let pounds = try store.statistics(query, over: [0, 1, 2, 3], unit: "lb")
        #expect(pounds.buckets.map(\.merged.mostRecent).first == 150)
        #expect(pounds.skipped.unconvertible.values.reduce(0, +) == 1)
        let error = #expect(throws: StoreError.self) {
            try store.statistics(query, over: [0, 1], unit: "mi")
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.description.contains("bodyMass") == true)
        #expect(error?.description.contains("“mi”") == true)
    }

    @Test(
        "a type without arithmetic is an error", arguments: [SampleType.sleep, .named("workout")])
    func noArithmetic(type: SampleType) throws {
        let store = try SampleStore.inMemory()
        let error = #expect(throws: StoreError.self) {
            try store.statistics(SampleQuery(type), over: [0, 1])
        }
        #expect(error?.code == .invalidArgument)
        #expect(throws: StoreError.self) {
            try store.categoryStatistics(SampleQuery(.steps), over: [0, 1])
        }
    }

    @Test("an empty store has no statistics, no extent and no types")
    func empty() throws {
        let store = try SampleStore.inMemory()
        let query = SampleQuery(.steps)
        #expect(try store.statistics(query, over: [0, 1]).buckets.isEmpty)
        #expect(try store.statistics(query, over: []).buckets.isEmpty)
        #expect(try store.extent(of: query) == nil)
        #expect(try store.types().isEmpty)
        #expect(try store.sources(of: nil).isEmpty)
        #expect(try store.check().isEmpty)
        #expect(try store.lastSequence == 0)
    }
}

import Testing

@testable import HealthEngine

@Suite("Statistics of amounts")
struct CumulativeStatisticsTests {
    private func sums(
        _ recorded: [RecordedSample], over edges: [Double], order: SourceOrder = .alphabetical,
        rules: StatisticsRules = .init()
    ) -> [Statistics] {
        SampleBatch(recorded: recorded).statistics(
            of: .cumulative, over: edges, conversions: .unchanged, order: order, rules: rules)
    }

    @Test("§2.3 between infinite edges every sample counts in full")
    func wholeQuery() throws {
        let all = sums(
            [.a(0, 600, 100), .b(300, 900, 100), .c(2000, 2000, 7)], over: [-.infinity, .infinity])
        let only = try #require(all.first)
        #expect(all.count == 1)
        #expect(only.merged.sum == 157)
        #expect(only.merged.duration == 900)
        #expect(only.merged.count == 3)
        #expect(only.start == -.infinity && only.end == .infinity)
    }

    @Test("§2.4 100 steps from 13:57 to 14:02 give 60 before the hour and 40 after it")
    func split() {
        let hour = 3600.0
        let statistics = sums(
            [.a(14 * hour - 180, 14 * hour + 120, 100)], over: [13, 14, 15].map { $0 * hour })
        #expect(statistics.map(\.merged.sum) == [60, 40])
        #expect(statistics.map(\.merged.duration) == [180, 120])
    }

    @Test("§2.5 a bucket holds its start and not its end")
    func halfOpen() {
        let statistics = sums([.a(0, 0, 1), .a(10, 10, 2), .a(20, 20, 4)], over: [0, 10, 20])
        #expect(statistics.map(\.merged.sum) == [1, 2])
        #expect(sums([.a(0, 10, 1)], over: [0, 10, 20]).map(\.start) == [0])
        #expect(sums([.a(0, 10, 1), .a(20, 30, 1)], over: [10, 20]).isEmpty)
        #expect(sums([.a(-5, -5, 1), .a(-9, -7, 1)], over: [0, 10]).isEmpty)
    }

    @Test("§2.7 merging and clipping give the same in either order")
    func mergeThenClip() {
        let recorded: [RecordedSample] = [.b(0, 40, 400), .a(10, 15, 1), .a(18, 25, 7)]
        let statistics = sums(recorded, over: [0, 20, 40])
        #expect(statistics.map(\.merged.sum) == [133, 155])
    }

    @Test("a sample over many buckets fills each of them, also those before the next samples")
    func longSample() {
        let edges = (0...10).map { Double($0) * 10 }
        let statistics = sums(
            [.a(-10, 90, 100), .a(5, 5, 1), .a(35, 45, 10), .a(36, 36, 1), .a(95, 120, 25)],
            over: edges)
        #expect(statistics.map(\.merged.sum) == [11, 10, 10, 16, 15, 10, 10, 10, 10, 5])
        #expect(statistics.map(\.merged.count) == [2, 1, 1, 3, 2, 1, 1, 1, 1, 1])
    }

    @Test("§5.6 only populated buckets come back, in order")
    func populatedOnly() {
        let statistics = sums([.a(75, 76, 1), .a(5, 6, 1)], over: (0...9).map { Double($0) * 10 })
        #expect(statistics.map(\.start) == [0, 70])
        #expect(statistics.map(\.end) == [10, 80])
    }

    @Test("edges that do not ascend make no bucket")
    func edges() {
        let recorded: [RecordedSample] = [.a(0, 10, 1)]
        for edges in [[], [0], [0, 0], [10, 0], [0, .nan], [0, 5, 5, 10]] as [[Double]] {
            #expect(sums(recorded, over: edges).isEmpty)
        }
    }

    @Test("integers without overlap have exact integer sums")
    func wholeNumbers() {
        let recorded = (0..<1000).map {
            RecordedSample.a(Double($0) * 7.1, Double($0) * 7.1 + 6.3, 3)
        }
        #expect(sums(recorded, over: [0, 10_000]).map(\.merged.sum) == [3000])
    }

    @Test("a bucket's sum depends on the samples in it alone, to the bit")
    func independentBuckets() throws {
        let recorded = (0..<500).map {
            RecordedSample.a(Double($0), Double($0) + 0.7, 0.1 * Double($0))
        }
        let alone = recorded.filter { $0.start >= 300 && $0.end < 400 }
        let among = try #require(sums(recorded, over: [0, 300, 400, 500]).dropFirst().first)
        #expect(sums(alone, over: [300, 400]).first?.merged.sum == among.merged.sum)
        #expect(sums(recorded.reversed(), over: [300, 400]).first?.merged.sum == among.merged.sum)
    }

    @Test("§1.10 an excluded source populates no bucket and is not among the sources")
    func excluded() {
        let order = SourceOrder(ranking: [0, 1, 2], excluded: [0])
        let statistics = sums(
            [.a(0, 5, 1), .a(10, 15, 1), .b(12, 14, 2)], over: [0, 10, 20], order: order,
            rules: StatisticsRules { $0.separation = .bySource })
        #expect(statistics.map(\.start) == [10])
        #expect(statistics.map(\.merged.sum) == [2])
        #expect(statistics.first?.bySource?.keys.sorted() == [1])
    }

    @Test("§1.8 a bridged gap is covered at rate 0: it adds nothing to the sum nor the duration")
    func bridged() {
        let rules = StatisticsRules { $0.gapTolerance = 20 }
        let statistics = sums(
            [.a(0, 10, 1), .b(0, 30, 30), .a(20, 25, 1)], over: [0, 10, 20, 30], rules: rules)
        #expect(statistics.map(\.merged.sum) == [1, 0, 6])
        #expect(statistics.map(\.merged.duration) == [10, 0, 10])
        #expect(statistics.map(\.merged.count) == [2, 1, 2])
    }

    @Test("§3.5 the most recent amount is that of the contributing sample that starts last")
    func mostRecent() {
        let merged = sums([.a(0, 10, 5), .b(2, 8, 7), .b(4, 12, 9)], over: [0, 11, 20]).map(
            \.merged)
        #expect(merged.map(\.mostRecent) == [9, 9])
        #expect(merged.map(\.mostRecentStart) == [4, 4])
        #expect(merged.map(\.mostRecentEnd) == [12, 12])
        #expect(sums([.a(0, 10, 5), .b(2, 8, 7)], over: [0, 10]).first?.merged.mostRecent == 5)
    }

    @Test("§3.1 amounts have a sum and no average, minimum or maximum")
    func onlySums() throws {
        let merged = try #require(sums([.a(0, 10, 5)], over: [0, 10]).first).merged
        #expect(merged.average == nil && merged.minimum == nil && merged.maximum == nil)
    }

    @Test("§3.7 the duration is the union of contributing time, clipped to the bucket")
    func duration() {
        let statistics = sums(
            [.a(0, 10, 1), .a(5, 8, 1), .b(8, 12, 1), .a(15, 25, 1), .a(30, 30, 1)],
            over: [2, 20, 30, 40])
        #expect(statistics.map(\.merged.duration) == [15, 5, 0])
    }

    @Test("§4.2 a source's own values are over its samples alone, and the merged ones stay")
    func bySource() throws {
        let rules = StatisticsRules { $0.separation = .bySource }
        let statistics = sums(
            [.a(0, 10, 100), .b(5, 15, 100), .c(6, 8, 3)], over: [0, 10, 20], rules: rules)
        #expect(statistics.map(\.merged.sum) == [100, 50])
        let first = try #require(statistics.first?.bySource)
        #expect(first.mapValues(\.sum) == [0: 100, 1: 50, 2: 3])
        #expect(first.mapValues(\.duration) == [0: 10, 1: 5, 2: 2])
        #expect(statistics.last?.bySource?.mapValues(\.sum) == [1: 50])
        #expect(sums([.a(0, 10, 1)], over: [0, 10]).first?.bySource == nil)
    }

    @Test("§4.5 a source without counted time is still listed")
    func lostEverything() {
        let rules = StatisticsRules { $0.separation = .bySource }
        let first = sums([.a(0, 10, 1), .b(2, 4, 9)], over: [0, 10], rules: rules).first
        #expect(first?.merged.sum == 1)
        #expect(first?.bySource?[1]?.sum == 9)
    }

    @Test("§9.5 an amount of undetermined duration is not spread: it counts where it starts")
    func undetermined() {
        let rules = StatisticsRules { $0.horizon = 20 }
        let statistics = sums(
            [.a(0, Sample.undeterminedEnd, 20), .b(12, 18, 6)], over: [0, 10, 20, 30],
            rules: rules)
        #expect(statistics.map(\.merged.sum) == [20, 6])
        #expect(statistics.first?.merged.mostRecentEnd == Sample.undeterminedEnd)
    }

    @Test(
        "the sums of days equal the total and the amounts of the timeline",
        arguments: [1, 2, 3] as [UInt64])
    func daysAddUp(seed: UInt64) throws {
        var state = seed
        func next(_ bound: UInt64) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double((state >> 33) % bound)
        }
        let recorded = (0..<800).map { _ -> RecordedSample in
            let start = next(5000)
            let source = RecordedSample.SourceLabel(rawValue: Int32(next(3))) ?? .a
            return RecordedSample(
                source: source, start: start, end: start + next(90), value: next(50))
        }
        let edges = (0...60).map { Double($0) * 90 }
        let days = sums(recorded, over: edges)
        let whole = try #require(sums(recorded, over: [-.infinity, .infinity]).first?.merged.sum)
        #expect(abs(days.compactMap(\.merged.sum).reduce(0, +) - whole) < 1e-6, "seed \(seed)")
        let timeline = Timeline(
            SampleBatch(recorded: recorded), conversions: .unchanged, order: .alphabetical)
        #expect(timeline.checkInvariants() == [], "seed \(seed)")
        for day in days {
            let amounts = timeline.amounts(from: day.start, to: day.end)
            #expect(amounts.merged == day.merged.sum ?? 0, "seed \(seed)")
            let shares = amounts.bySource.values.reduce(0) { $0 + $1.contributed + $1.duplicate }
            #expect(abs(shares - amounts.naive) < 1e-9 * (1 + amounts.naive), "seed \(seed)")
        }
    }
}

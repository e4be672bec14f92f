import HealthEngine
import Testing

@Suite("Statistics of categories")
struct CategoryStatisticsTests {
    private func statistics(
        _ recorded: [RecordedSample], over edges: [Double] = [0, 100],
        order: SourceOrder = .alphabetical, rules: StatisticsRules = .init()
    ) -> [CategoryStatistics] {
        SampleBatch(recorded: recorded).categoryStatistics(over: edges, order: order, rules: rules)
    }

    @Test("§10.6 values of one source may overlap each other; each value's time is a union")
    func union() {
        let merged = statistics([.a(0, 50, 0), .a(10, 20, 3), .a(15, 30, 3), .a(40, 60, 0)])
            .first?.merged
        #expect(merged?.seconds == [0: 60, 3: 20])
        #expect(merged?.counts == [0: 2, 3: 2])
        #expect(merged?.count == 4)
    }

    @Test("§1.3 at each moment only the highest source with a covering sample counts")
    func sourceOrder() {
        let merged = statistics([.a(10, 20, 3), .b(0, 40, 1), .b(5, 30, 1), .b(12, 15, 5)])
            .first?.merged
        #expect(merged?.seconds == [1: 30, 3: 10])
        #expect(merged?.counts == [1: 2, 3: 1])
        #expect(merged?.count == 4)
    }

    @Test("§1.7 an instant has no seconds but counts")
    func instants() {
        let recorded: [RecordedSample] = [
            .a(10, 10, 2), .b(10, 10, 2), .b(12, 12, 2), .b(100, 100, 2),
        ]
        let merged = statistics(recorded).first?.merged
        #expect(merged?.seconds == [2: 0])
        #expect(merged?.counts == [2: 2])
        #expect(merged?.count == 3)
    }

    @Test("§2.5 time is divided at the boundaries of half-open buckets")
    func buckets() {
        let days = statistics(
            [.a(-5, 25, 4), .a(10, 10, 1), .a(50, 60, 4)], over: [0, 10, 30, 50, 55])
        #expect(days.map(\.start) == [0, 10, 50])
        #expect(days.map(\.merged.seconds) == [[4: 10], [4: 15, 1: 0], [4: 5]])
    }

    @Test("§2.3 between infinite edges every sample counts in full")
    func wholeQuery() {
        let all = statistics([.a(0, 10, 3), .b(5, 15, 4)], over: [-.infinity, .infinity])
        #expect(all.map(\.merged.seconds) == [[3: 10, 4: 5]])
    }

    @Test("§4 values by source are returned beside the merged ones")
    func bySource() {
        let rules = StatisticsRules { $0.separation = .bySource }
        let all = statistics([.a(0, 10, 3), .b(5, 15, 4), .b(2, 4, 4)], rules: rules)
        #expect(all.first?.merged.seconds == [3: 10, 4: 5])
        #expect(all.first?.bySource?.mapValues(\.seconds) == [0: [3: 10], 1: [4: 12]])
        #expect(statistics([.a(0, 10, 3)]).first?.bySource == nil)
    }

    @Test("§1.10 an excluded source is not counted")
    func excluded() {
        let order = SourceOrder(ranking: [0, 1, 2], excluded: [0])
        let all = statistics([.a(0, 10, 3), .b(5, 15, 4)], order: order)
        #expect(all.map(\.merged.seconds) == [[4: 10]])
    }

    @Test("a raw value that is not an integer is skipped and counted")
    func notWhole() {
        let recorded: [RecordedSample] = [
            .a(0, 10, 0.5), .a(0, 10, 1e300), .b(0, 10, .nan), .b(0, 10, 1),
        ]
        #expect(statistics(recorded).map(\.merged.seconds) == [[1: 10]])
        let timeline = Timeline(categories: SampleBatch(recorded: recorded), order: .alphabetical)
        #expect(timeline.skipped.malformed == 3)
        #expect(timeline.checkInvariants() == [])
    }

    @Test("an ongoing sample counts up to the horizon, and no further bucket is made")
    func undetermined() {
        let all = statistics(
            [.a(5, Sample.undeterminedEnd, 1)], over: [0, 10, 20, 30],
            rules: StatisticsRules { $0.horizon = 12 })
        #expect(all.map(\.merged.seconds) == [[1: 5], [1: 2]])
    }
}

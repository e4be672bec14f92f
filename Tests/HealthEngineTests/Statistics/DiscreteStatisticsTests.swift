import HealthEngine
import HealthTesting
import Testing

@Suite("Statistics of readings")
struct DiscreteStatisticsTests {
    private func readings(
        _ recorded: [RecordedSample], _ style: SampleType.Aggregation = .discreteArithmetic,
        over edges: [Double] = [0, 3600], rules: StatisticsRules = .init()
    ) -> [Statistics] {
        SampleBatch(recorded: recorded).statistics(
            of: style, over: edges, conversions: .unchanged, order: .alphabetical, rules: rules)
    }

    private func average(
        _ recorded: [RecordedSample], _ style: SampleType.Aggregation = .discreteTemporallyWeighted,
        rules: StatisticsRules = .init()
    ) throws -> Double {
        try #require(readings(recorded, style, rules: rules).first?.merged.average)
    }

    @Test("§2.8 an interval reading belongs whole to every bucket it overlaps, an instant to one")
    func overlap() {
        let statistics = readings([.a(5, 25, 60), .a(10, 10, 90)], over: [0, 10, 20, 25, 30])
        #expect(statistics.map(\.start) == [0, 10, 20])
        #expect(statistics.map(\.merged.average) == [60, 75, 60])
        #expect(statistics.map(\.merged.count) == [1, 2, 1])
    }

    @Test("§3.1 readings have no sum")
    func noSum() {
        #expect(readings([.a(0, 0, 60)]).first?.merged.sum == nil)
    }

    @Test("§3.2 the arithmetic average is not weighted by time")
    func arithmetic() throws {
        #expect(try average([.a(0, 3000, 10), .a(3500, 3500, 40)], .discreteArithmetic) == 25)
    }

    @Test("§3.3 instants are integrated by the trapezoid rule")
    func trapezoid() throws {
        // 60 at 0:00, 120 at 0:10, 60 at 0:11: (90 · 600 + 90 · 60) / 660.
        #expect(try average([.a(0, 0, 60), .a(600, 600, 120), .a(660, 660, 60)]) == 90)
        #expect(try average([.a(0, 0, 60), .a(100, 100, 80), .a(400, 400, 120)]) == 92.5)
    }

    @Test("§3.3 a gap longer than the maximum counts as the maximum")
    func longGap() throws {
        let night: [RecordedSample] = [.a(0, 0, 60), .a(100, 100, 80), .a(3000, 3000, 120)]
        #expect(try average(night) == 67_000.0 / 700)
        let rules = StatisticsRules { $0.maximumGap = 100 }
        #expect(try average(night, rules: rules) == 85)
    }

    @Test("§3.3 an interval reading weighs its overlap with the bucket")
    func intervals() throws {
        #expect(try average([.a(-1000, 100, 60), .a(100, 400, 100)]) == 90)
        // No instant at either end of the gap, so it has no weight.
        #expect(try average([.a(0, 100, 60), .a(300, 400, 100)]) == 80)
        // An instant 100 s after an interval: 50 s for each end.
        #expect(try average([.a(0, 150, 60), .a(250, 250, 100)]) == 68)
    }

    @Test("§3.3 with one reading or without weights, the mean is unweighted")
    func withoutWeight() throws {
        #expect(try average([.a(5, 5, 61)]) == 61)
        #expect(try average([.a(5, 8, 0.1)]) == 0.1)
        #expect(try average([.a(5, 5, 60), .b(5, 5, 70)]) == 65)
        let rules = StatisticsRules { $0.maximumGap = 0 }
        #expect(try average([.a(5, 5, 60), .a(9, 9, 70), .a(99, 99, 80)], rules: rules) == 70)
    }

    @Test("an average that a double can hold is exact, however the readings are cut up")
    func exactAverages() throws {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        /// Returns a number with `places` binary fraction digits, so that differences are exact.
        func number(_ range: ClosedRange<Double>, places: Int) -> Double {
            let scale = Double(1 << places)
            return (Double.random(in: range, using: &random) * scale).rounded() / scale
        }
        for _ in 1...100 {
            let seconds = number(1...3000, places: 20)
            let mean = number(40...200, places: 40)
            var start = number(0...8e8, places: 20)
            let first = start
            var recorded: [RecordedSample] = []
            for _ in 0..<Int.random(in: 1...100, using: &random) {
                let off = number(0...40, places: 40)
                for value in [mean + off, mean - off] {
                    recorded.append(.a(start, start + seconds, value))
                    start += seconds
                }
            }
            for style in [
                SampleType.Aggregation.discreteArithmetic, .discreteTemporallyWeighted,
            ] {
                let average = readings(recorded, style, over: [first, start]).first?.merged.average
                #expect(average == mean, "\(style), \(recorded.count) readings, seed \(seed)")
            }
        }
        let tenths: [RecordedSample] = (0..<10).map { .a(Double($0) * 0.3, Double($0) * 0.3, 0.1) }
        #expect(try average(tenths, .discreteArithmetic) == 0.1)
        #expect(try average(tenths) == 0.1)
        // The average of a constant value is that value, whatever the times are.
        let steady: [RecordedSample] = (0..<1000).map {
            .a(Double($0) * 1.1, Double($0) * 1.1 + 0.7, 72.3)
        }
        #expect(try average(steady) == 72.3)
    }

    @Test("§3.3 nothing is interpolated across a boundary")
    func boundaries() {
        let statistics = readings(
            [.a(10, 10, 60), .a(20, 20, 80), .a(30, 30, 200), .a(50, 50, 100)],
            .discreteTemporallyWeighted, over: [0, 25, 60])
        #expect(statistics.map(\.merged.average) == [70, 150])
    }

    @Test("§3.4 sound levels average by energy")
    func levels() throws {
        let level = try average(
            [.a(0, 60, 90), .a(60, 120, 60)], .discreteEquivalentContinuousLevel)
        // 10 · log10((10⁹ + 10⁶) / 2)
        #expect(abs(level - 86.994_041) < 1e-6)
        let weighted = try average(
            [.a(0, 30, 60), .a(30, 300, 70), .a(400, 400, 120)], .discreteEquivalentContinuousLevel)
        // 10 · log10((30 · 10⁶ + 270 · 10⁷) / 300); an instant among intervals has no weight.
        #expect(abs(weighted - 69.590_414) < 1e-6)
    }

    @Test("§3.4 levels without duration have equal weight; a constant level is unchanged")
    func levelsOfInstants() throws {
        let instants = try average(
            [.a(0, 0, 60), .a(60, 60, 90)], .discreteEquivalentContinuousLevel)
        #expect(abs(instants - 86.994_041) < 1e-6)
        #expect(
            try average([.a(0, 60, 73.3), .a(60, 61, 73.3)], .discreteEquivalentContinuousLevel)
                == 73.3)
        #expect(try average([.a(0, 60, 9000)], .discreteEquivalentContinuousLevel) == 9000)
    }

    @Test("§3.5 minimum and maximum are over all readings of all included sources")
    func extremes() throws {
        for style in SampleType.Aggregation.allCases where style != .cumulative {
            let merged = try #require(
                readings([.a(0, 600, 60), .b(5, 5, 48), .c(7, 7, 140)], style).first?.merged)
            #expect(merged.minimum == 48)
            #expect(merged.maximum == 140)
        }
    }

    @Test("§3.5 most recent: latest start, then latest end, then saved last, then larger key")
    func mostRecent() throws {
        func recent(_ recorded: [RecordedSample]) throws -> Statistics.Values {
            try #require(readings(recorded).first?.merged)
        }
        let latest = try recent([.a(0, 900, 1), .a(5, 6, 2)])
        #expect(latest.mostRecent == 2)
        #expect(latest.mostRecentStart == 5 && latest.mostRecentEnd == 6)
        #expect(try recent([.a(5, 9, 1), .a(5, 6, 2)]).mostRecent == 1)
        #expect(try recent([.a(5, 9, 1).saved(20), .a(5, 9, 2).saved(10)]).mostRecent == 1)
        #expect(try recent([.a(5, 9, 1).saved(20), .a(5, 9, 2)]).mostRecent == 1)
        #expect(
            try recent([.a(5, 9, 1).saved(20, key: 9), .a(5, 9, 2).saved(20, key: 3)]).mostRecent
                == 1)
    }

    @Test("§3.6 by default every matching reading counts, whatever its source")
    func allSources() throws {
        #expect(try average([.a(0, 3600, 80), .b(10, 10, 60)], .discreteArithmetic) == 70)
    }

    @Test("§3.6 by source order a reading is left out while a higher source has one")
    func bySourceOrder() throws {
        let rules = StatisticsRules { $0.discreteMerge = .bySourceOrder }
        let recorded: [RecordedSample] = [
            .a(0, 100, 80), .b(10, 10, 60), .b(50, 150, 100), .a(200, 200, 90), .b(200, 200, 1),
        ]
        let merged = try #require(readings(recorded, rules: rules).first?.merged)
        #expect(merged.average == 90)
        #expect(merged.minimum == 80)
        #expect(merged.maximum == 100)
        #expect(merged.count == 5)
        #expect(merged.duration == 150)
        // 80 for 100 s; 100 for its remaining 50 s and half of the 50 s gap; 90 for the other half.
        let weighted = try average(recorded, rules: rules)
        #expect(weighted == 88.75)
    }

    @Test("§3.7 the duration is the union of all readings' time")
    func duration() {
        let statistics = readings(
            [.a(0, 10, 1), .b(5, 20, 1), .a(6, 7, 1), .a(30, 40, 1)], over: [0, 35, 60])
        #expect(statistics.map(\.merged.duration) == [25, 5])
    }

    @Test("§4.2 values by source are separate from the merged ones")
    func bySource() {
        let rules = StatisticsRules { $0.separation = .bySource }
        let statistics = readings(
            [.a(0, 0, 60), .b(5, 5, 100), .a(10, 30, 80)], over: [0, 20, 40], rules: rules)
        #expect(statistics.map(\.merged.average) == [80, 80])
        #expect(statistics.first?.bySource?.mapValues(\.average) == [0: 70, 1: 100])
        #expect(statistics.last?.bySource?.mapValues(\.average) == [0: 80])
    }

    @Test("a batch out of order gives the same as one in order")
    func anyOrder() {
        let recorded: [RecordedSample] = [
            .a(0, 0, 60), .b(5, 35, 100), .a(10, 10, 80), .a(30, 30, 81),
        ]
        let edges: [Double] = [0, 8, 20, 40]
        let rules = StatisticsRules { $0.separation = .bySource }
        for style in SampleType.Aggregation.allCases {
            #expect(
                readings(recorded.reversed(), style, over: edges, rules: rules)
                    == readings(recorded, style, over: edges, rules: rules))
        }
    }

    @Test("values are converted from each origin's own unit")
    func conversions() {
        let batch = SampleBatch(recorded: [.a(0, 0, 60), .b(1, 1, 2), .c(2, 2, 50)])
        let statistics = batch.statistics(
            of: .discreteArithmetic, over: [0, 10],
            conversions: [UnitConversion(divisor: 60), .identity, nil], order: .alphabetical)
        #expect(statistics.first?.merged.average == 1.5)
        #expect(statistics.first?.merged.count == 2)
    }
}

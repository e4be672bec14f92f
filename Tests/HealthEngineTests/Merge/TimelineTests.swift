import Testing

@testable import HealthEngine

@Suite("Timeline")
struct TimelineTests {
    private func timeline(
        _ recorded: [RecordedSample], order: SourceOrder = .alphabetical,
        rules: StatisticsRules = .init(), values: Timeline.Values = .amounts
    ) -> Timeline {
        let timeline = Timeline(
            SampleBatch(recorded: recorded), conversions: .unchanged, order: order, rules: rules,
            values: values)
        #expect(timeline.checkInvariants() == [])
        return timeline
    }

    private func mergedInterval(
        _ source: RecordedSample.SourceLabel, _ start: Double, _ end: Double, _ value: Double,
        sample: Int
    ) -> Timeline.MergedInterval {
        Timeline.MergedInterval(
            start: start, end: end, source: source.rawValue, sample: sample, value: value)
    }

    private func total(_ timeline: Timeline) -> Double {
        timeline.mergedIntervals.reduce(0) { $0 + $1.value }
    }

    @Test("§1.3 a lower-priority sample counts, pro rata, where no higher-priority one covers it")
    func partialOverlap() {
        let timeline = timeline([.a(0, 600, 100), .b(300, 900, 100)])
        #expect(
            timeline.mergedIntervals == [
                mergedInterval(.a, 0, 600, 100, sample: 0),
                mergedInterval(.b, 600, 900, 50, sample: 1),
            ])
    }

    @Test("§1.3 a lower-priority sample around a higher-priority one counts on both sides")
    func bothSides() {
        let timeline = timeline([.b(0, 30, 300), .a(10, 15, 7)])
        #expect(
            timeline.mergedIntervals == [
                mergedInterval(.b, 0, 10, 100, sample: 0), mergedInterval(.a, 10, 15, 7, sample: 1),
                mergedInterval(.b, 15, 30, 150, sample: 0),
            ])
    }

    @Test("§1.3 a fully covered lower-priority sample contributes nothing")
    func covered() {
        #expect(
            timeline([.a(0, 10, 1), .a(10, 20, 1), .b(5, 15, 99)]).mergedIntervals.map(\.sample)
                == [
                    0, 1,
                ])
    }

    @Test("§1.3 the third source counts only where the first two have no sample")
    func threeRanks() {
        let timeline = timeline([.a(0, 10, 10), .c(0, 40, 400), .b(5, 20, 30), .a(30, 32, 2)])
        #expect(
            timeline.mergedIntervals == [
                mergedInterval(.a, 0, 10, 10, sample: 0), mergedInterval(.b, 10, 20, 20, sample: 2),
                mergedInterval(.c, 20, 30, 100, sample: 1),
                mergedInterval(.a, 30, 32, 2, sample: 3),
                mergedInterval(.c, 32, 40, 80, sample: 1),
            ])
    }

    @Test("§1.3 a day-long sample counts in every gap of a higher-priority source")
    func dayOverShortSamples() {
        let short = (0..<144).map { RecordedSample.a(Double($0) * 600, Double($0) * 600 + 300, 1) }
        let timeline = timeline([.b(0, 86400, 8640)] + short)
        #expect(timeline.mergedIntervals.count == 288)
        #expect(total(timeline) == 144 + 4320)
    }

    @Test("§1.4 samples of one source add where they overlap, also when identical")
    func sameSourceAdds() {
        let timeline = timeline([.a(0, 10, 5), .a(0, 10, 5), .a(5, 15, 7)])
        #expect(timeline.mergedIntervals.map(\.value) == [5, 5, 7])
    }

    @Test("§1.4 overlapping lower-priority samples each exclude the same covered time")
    func sameSourceBelow() {
        let timeline = timeline([.b(0, 10, 10), .b(0, 20, 20), .a(5, 15, 1)])
        #expect(total(timeline) == 1 + 5 + 10)
    }

    @Test("§1.5 a source that the order does not name ranks after the named ones, by index")
    func unlistedSources() {
        let order = SourceOrder(ranking: [2])
        let timeline = timeline([.a(0, 10, 1), .b(0, 10, 2), .c(0, 10, 3)], order: order)
        #expect(timeline.ranks == [1, 2, 0])
        #expect(timeline.mergedIntervals.map(\.value) == [3])
        let pair = self.timeline([.a(0, 10, 1), .b(0, 10, 2)], order: order)
        #expect(pair.mergedIntervals.map(\.value) == [1])
    }

    @Test("§1.6 a divided count is not rounded")
    func fractions() {
        #expect(
            timeline([.a(0, 15, 1), .b(0, 46, 4051)]).mergedIntervals.last?.value == 4051.0 * 31
                / 46)
    }

    @Test("§1.7 an instant counts in full unless a higher interval covers it, half-open")
    func instantsUnderIntervals() {
        let timeline = timeline([
            .b(9, 9, 1), .a(10, 20, 100), .b(10, 10, 2), .b(19, 19, 4), .b(20, 20, 8),
        ])
        #expect(timeline.mergedIntervals.map(\.value) == [1, 100, 8])
    }

    @Test("§1.7 an instant covers no time: a lower-priority interval around it counts in full")
    func instantInsideLowerInterval() {
        let timeline = timeline([.b(0, 10, 50), .a(5, 5, 3)])
        #expect(
            timeline.mergedIntervals == [
                mergedInterval(.b, 0, 10, 50, sample: 0), mergedInterval(.a, 5, 5, 3, sample: 1),
            ])
    }

    @Test("§1.7 of instants at the same moment only the highest source's count, and those add")
    func instantsAtOneMoment() {
        let timeline = timeline([.a(5, 5, 1), .a(5, 5, 2), .b(5, 5, 4), .c(5, 5, 8), .c(6, 6, 16)])
        #expect(timeline.mergedIntervals.map(\.value) == [1, 2, 16])
    }

    @Test("§1.8 a gap shorter than the tolerance is covered and counts nothing")
    func gapTolerance() {
        let recorded: [RecordedSample] = [
            .a(0, 10, 1), .a(15, 20, 1), .b(0, 40, 40), .a(30, 40, 1),
        ]
        #expect(total(timeline(recorded)) == 3 + 5 + 10)
        let bridged = timeline(recorded, rules: StatisticsRules { $0.gapTolerance = 6 })
        #expect(total(bridged) == 3 + 10)
        let boundary = timeline(recorded, rules: StatisticsRules { $0.gapTolerance = 5 })
        #expect(total(boundary) == 3 + 5 + 10)
        let all = timeline(recorded, rules: StatisticsRules { $0.gapTolerance = 10.5 })
        #expect(total(all) == 3)
    }

    @Test("§1.8 a bridged gap also covers lower-priority instants; instants bridge no gap")
    func gapToleranceAndInstants() {
        let rules = StatisticsRules { $0.gapTolerance = 6 }
        #expect(
            total(timeline([.a(0, 10, 1), .b(12, 12, 9), .a(15, 20, 1)], rules: rules)) == 2)
        #expect(
            total(timeline([.a(0, 10, 1), .a(14, 14, 1), .b(12, 12, 9)], rules: rules)) == 11)
    }

    @Test("§1.9 malformed samples are skipped and counted, and never trap")
    func malformed() {
        let timeline = timeline([
            .a(10, 5, 1), .a(.nan, 5, 1), .a(0, .infinity, 1), .a(0, 5, .nan), .b(0, 5, 2),
            .a(-.infinity, 5, 1), .a(0, 5, .infinity),
        ])
        #expect(timeline.mergedIntervals.map(\.value) == [2])
        #expect(timeline.skipped.malformed == 6)
    }

    @Test("samples without a unit conversion are skipped and counted by origin")
    func unconvertible() {
        let batch = SampleBatch(recorded: [.a(0, 10, 1), .a(5, 10, 1), .b(0, 20, 20), .c(0, 9, 1)])
        let conversions = [nil, UnitConversion(multiplier: 1000)]
        let timeline = Timeline(batch, conversions: conversions, order: .alphabetical)
        #expect(timeline.mergedIntervals.map(\.value) == [20_000])
        #expect(timeline.skipped.unconvertible == [0: 2, 2: 1])
        #expect(
            batch.skippedSamples(conversions: conversions, order: .alphabetical) == timeline.skipped
        )
    }

    @Test("dangling indices of origins and sources do not trap")
    func danglingIndices() {
        var batch = SampleBatch(recorded: [.a(0, 10, 1), .b(0, 10, 2), .c(0, 10, 4)])
        batch.samples[0].origin = 17
        batch.samples[1].origin = -1
        batch.origins[2].source = 9
        let timeline = Timeline(batch, conversions: .unchanged, order: .alphabetical)
        #expect(timeline.mergedIntervals.isEmpty)
        #expect(timeline.skipped.unconvertible == [17: 1, -1: 1, 2: 1])
    }

    @Test("§1.10 an excluded source neither counts nor covers")
    func excluded() {
        let order = SourceOrder(ranking: [0, 1, 2], excluded: [0])
        let timeline = timeline([.a(0, 10, 5), .b(0, 10, 7), .a(0, -1, 1)], order: order)
        #expect(timeline.mergedIntervals.map(\.value) == [7])
        #expect(timeline.skipped.isEmpty)
    }

    @Test("§9.5 an amount of undetermined duration is an instant that covers no time")
    func undetermined() {
        let recorded: [RecordedSample] = [.a(10, Sample.undeterminedEnd, 8), .b(0, 40, 40)]
        let timeline = timeline(recorded)
        #expect(timeline.mergedIntervals.map(\.value) == [40, 8])
        #expect(timeline.mergedIntervals.map(\.end) == [40, 10])
        #expect(timeline.skipped.isEmpty)
    }

    @Test("the order of the batch does not matter")
    func anyOrder() {
        let recorded: [RecordedSample] = [
            .a(0, 10, 1), .c(0, 40, 400), .b(5, 20, 30), .a(30, 32, 2),
        ]
        let there = timeline(recorded).mergedIntervals
        let back = timeline(recorded.reversed()).mergedIntervals
        #expect(there.map(\.value) == back.map(\.value))
        #expect(there.map(\.start) == back.map(\.start))
        #expect(back.map(\.sample) == there.map { 3 - $0.sample })
    }

    @Test("readings are divided in time but not in value")
    func readings() {
        let timeline = timeline([.a(0, 10, 60), .b(5, 15, 70)], values: .readings)
        #expect(timeline.mergedIntervals.map(\.value) == [60, 70])
        #expect(timeline.mergedIntervals.map(\.start) == [0, 10])
    }

    @Test("amounts have the counted and duplicate part of each source in a range")
    func amounts() {
        let timeline = timeline([.a(0, 10, 100), .b(5, 15, 100), .c(6, 8, 3), .c(40, 50, 1)])
        let amounts = timeline.amounts(from: 5, to: 20)
        #expect(amounts.naive == 50 + 100 + 3)
        #expect(amounts.merged == 100)
        #expect(amounts.bySource[0]?.contributed == 50)
        #expect(amounts.bySource[0]?.duplicate == 0)
        #expect(amounts.bySource[1]?.contributed == 50)
        #expect(amounts.bySource[1]?.duplicate == 50)
        #expect(amounts.bySource[2]?.contributed == 0)
        #expect(amounts.bySource[2]?.duplicate == 3)
        #expect(amounts.bySource.values.map(\.count) == [1, 1, 1])
    }

    @Test("amounts of instants follow the half-open range")
    func amountsOfInstants() {
        let amounts = timeline([.a(0, 0, 1), .a(5, 5, 2), .b(5, 5, 4), .a(10, 10, 8)])
            .amounts(from: 0, to: 10)
        #expect(amounts.merged == 3)
        #expect(amounts.naive == 7)
        #expect(amounts.bySource[1]?.duplicate == 4)
    }

    @Test("merged intervals are clipped to a range")
    func clippedStretches() {
        let timeline = timeline([.a(0, 10, 100), .b(5, 15, 100), .a(20, 20, 1)])
        #expect(
            timeline.mergedIntervals(from: 8, to: 12) == [
                mergedInterval(.a, 8, 10, 20, sample: 0), mergedInterval(.b, 10, 12, 20, sample: 1),
            ])
        #expect(timeline.mergedIntervals(from: 20, to: 21).count == 1)
        #expect(timeline.mergedIntervals(from: 10, to: 20).map(\.value) == [50])
    }

    @Test("runs join and add up adjacent merged intervals of one source")
    func runs() {
        let timeline = timeline([
            .a(0, 10, 1), .a(10, 20, 2), .a(15, 30, 4), .b(0, 60, 60), .a(50, 55, 8),
            .a(52, 52, 16),
        ])
        #expect(
            timeline.mergedRuns() == [
                Timeline.Run(start: 0, end: 30, source: 0, value: 7),
                Timeline.Run(start: 30, end: 50, source: 1, value: 20),
                Timeline.Run(start: 50, end: 55, source: 0, value: 24),
                Timeline.Run(start: 55, end: 60, source: 1, value: 5),
            ])
        #expect(
            timeline.mergedRuns(from: 40, to: 52).map(\.value) == [10, 3.2])
    }

    @Test("a higher-priority instant does not split the run around it")
    func runAroundInstant() {
        let runs = timeline([.b(0, 10, 1), .a(5, 5, 4), .b(10, 20, 2)]).mergedRuns()
        #expect(runs.map(\.value) == [3, 4])
    }

    @Test("§10.6 runs of readings join only where the value is the same")
    func runsOfCategories() {
        let batch = SampleBatch(recorded: [
            .a(0, 100, 0), .a(10, 20, 3), .a(20, 30, 3), .a(30, 40, 5),
        ])
        let runs = Timeline(categories: batch, order: .alphabetical).mergedRuns()
        #expect(runs.map(\.value) == [0, 3, 5])
        #expect(runs.map(\.end) == [100, 30, 40])
    }

    @Test("each violated invariant is reported")
    func invariants() {
        let merge = timeline([.a(0, 10, 10), .b(5, 15, 10), .a(20, 20, 1), .b(20, 20, 1)]).merge
        func broken(_ mergedIntervals: [Timeline.MergedInterval]) -> Set<Timeline.Invariant> {
            Timeline.violatedInvariants(
                in: mergedIntervals, of: merge.entries, ranks: [0, 1, 2], values: .amounts)
        }
        let good = [
            mergedInterval(.a, 0, 10, 10, sample: 0), mergedInterval(.b, 10, 15, 5, sample: 1),
        ]
        #expect(broken(good) == [])
        #expect(broken(good.reversed()).contains(.ordered))
        #expect(broken([good[0], mergedInterval(.b, 9, 15, 6, sample: 1)]) == [.oneSourceAtATime])
        #expect(
            broken([
                mergedInterval(.a, 20, 20, 1, sample: 2), mergedInterval(.b, 20, 20, 1, sample: 3),
            ])
                == [.oneSourceAtATime])
        #expect(broken([mergedInterval(.a, 0, 11, 10, sample: 0)]) == [.insideItsSample])
        #expect(broken([mergedInterval(.b, 0, 10, 10, sample: 0)]) == [.insideItsSample])
        #expect(broken([mergedInterval(.a, 0, 5, 11, sample: 0)]) == [.noMoreThanTheSample])
    }
}

import HealthEngine
import HealthTesting
import Testing

/// The engine compared with the reference merge on large random sets of samples.
@Suite("The engine equals the reference merge on large random inputs")
struct RandomAgreementTests {
    #if DEBUG
        static let sizes = [30, 300]
    #else
        static let sizes = [30, 300, 3000]
    #endif

    private func agree(
        _ size: Int, _ aggregations: [SampleType.Aggregation],
        _ change: (inout StatisticsRules) -> Void = { _ in }
    ) {
        for seed in TestTier.seeds(max(2, 600 / size), from: 1) {
            let input = RandomMergeInput(samples: size, seed: seed)
            var rules = StatisticsRules()
            rules.separation = .bySource
            rules.horizon = input.horizon
            change(&rules)
            let slow = ReferenceMerge(
                input.batch, conversions: input.conversions, order: input.order, rules: rules)
            for aggregation in aggregations {
                let difference = ResultComparison(
                    tolerance: 1e-9
                ).difference(
                    slow.statistics(of: aggregation, over: input.edges),
                    input.batch.statistics(
                        of: aggregation, over: input.edges, conversions: input.conversions,
                        order: input.order, rules: rules),
                    bySource: true)
                if let difference { Issue.record("seed \(seed), \(aggregation): \(difference)") }
            }
        }
    }

    @Test("sums of amounts", arguments: sizes)
    func cumulative(size: Int) { agree(size, [.cumulative]) }

    @Test("sums with a gap tolerance", arguments: sizes)
    func gapTolerance(size: Int) { agree(size, [.cumulative]) { $0.gapTolerance = 7 } }

    @Test("readings of every discrete style", arguments: sizes)
    func discrete(size: Int) {
        agree(
            size,
            [.discreteArithmetic, .discreteTemporallyWeighted, .discreteEquivalentContinuousLevel])
    }

    @Test("discrete statistics by source order", arguments: sizes)
    func discreteMerge(size: Int) {
        agree(
            size,
            [.discreteArithmetic, .discreteTemporallyWeighted, .discreteEquivalentContinuousLevel]
        ) { $0.discreteMerge = .bySourceOrder }
    }

    @Test("category durations equal those of the reference merge", arguments: sizes)
    func categories(size: Int) {
        let seed = TestTier.seed(1)
        let input = RandomMergeInput(samples: size, seed: seed)
        var batch = input.batch
        for index in batch.samples.indices { batch.samples[index].value.round(.down) }
        var rules = StatisticsRules()
        rules.separation = .bySource
        rules.horizon = input.horizon
        let identities = [UnitConversion?](repeating: .identity, count: batch.origins.count)
        let slow = ReferenceMerge(
            batch, conversions: identities, order: input.order, rules: rules, openEnd: .atHorizon)
        let difference = ResultComparison(tolerance: 1e-9).difference(
            slow.categories(over: input.edges),
            batch.categoryStatistics(over: input.edges, order: input.order, rules: rules))
        if let difference { Issue.record("seed \(seed): \(difference)") }
    }

    @Test("merged intervals equal those of the reference merge", arguments: sizes)
    func timeline(size: Int) {
        let seed = TestTier.seed(1)
        let input = RandomMergeInput(samples: size, seed: seed)
        var rules = StatisticsRules()
        rules.horizon = input.horizon
        let slow = ReferenceMerge(
            input.batch, conversions: input.conversions, order: input.order, rules: rules)
        let fast = Timeline(
            input.batch, conversions: input.conversions, order: input.order, rules: rules)
        let difference = ResultComparison(tolerance: 1e-9).difference(
            slow.mergedIntervals(), fast.mergedIntervals)
        if let difference { Issue.record("seed \(seed): \(difference)") }
    }
}

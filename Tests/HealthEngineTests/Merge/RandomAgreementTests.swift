import HealthEngine
import HealthTesting
import Testing

/// The engine compared with the reference merge on large random sets of samples.
@Suite("the engine agrees with the slow merge on large random worlds")
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
            let world = RandomWorld(samples: size, seed: seed)
            var rules = StatisticsRules()
            rules.separation = .bySource
            rules.horizon = world.horizon
            change(&rules)
            let slow = ReferenceMerge(
                world.batch, conversions: world.conversions, order: world.order, rules: rules)
            for aggregation in aggregations {
                let difference = Disagreement(
                    tolerance: 1e-9
                ).between(
                    slow.statistics(of: aggregation, over: world.edges),
                    world.batch.statistics(
                        of: aggregation, over: world.edges, conversions: world.conversions,
                        order: world.order, rules: rules),
                    bySource: true)
                if let difference { Issue.record("seed \(seed), \(aggregation): \(difference)") }
            }
        }
    }

    @Test("sums of amounts", arguments: sizes)
    func cumulative(size: Int) { agree(size, [.cumulative]) }

    @Test("sums where near samples cover the gap between them", arguments: sizes)
    func gapTolerance(size: Int) { agree(size, [.cumulative]) { $0.gapTolerance = 7 } }

    @Test("readings of every discrete style", arguments: sizes)
    func discrete(size: Int) {
        agree(
            size,
            [.discreteArithmetic, .discreteTemporallyWeighted, .discreteEquivalentContinuousLevel])
    }

    @Test("readings left out where a higher source has its own", arguments: sizes)
    func discreteMerge(size: Int) {
        agree(
            size,
            [.discreteArithmetic, .discreteTemporallyWeighted, .discreteEquivalentContinuousLevel]
        ) { $0.discreteMerge = .bySourceOrder }
    }

    @Test("seconds of each value of a category", arguments: sizes)
    func categories(size: Int) {
        let seed = TestTier.seed(1)
        let world = RandomWorld(samples: size, seed: seed)
        var batch = world.batch
        for index in batch.samples.indices { batch.samples[index].value.round(.down) }
        var rules = StatisticsRules()
        rules.separation = .bySource
        rules.horizon = world.horizon
        let identities = [UnitConversion?](repeating: .identity, count: batch.origins.count)
        let slow = ReferenceMerge(
            batch, conversions: identities, order: world.order, rules: rules, openEnd: .atHorizon)
        let difference = Disagreement(tolerance: 1e-9).between(
            slow.categories(over: world.edges),
            batch.categoryStatistics(over: world.edges, order: world.order, rules: rules))
        if let difference { Issue.record("seed \(seed): \(difference)") }
    }

    @Test("who won every stretch", arguments: sizes)
    func timeline(size: Int) {
        let seed = TestTier.seed(1)
        let world = RandomWorld(samples: size, seed: seed)
        var rules = StatisticsRules()
        rules.horizon = world.horizon
        let slow = ReferenceMerge(
            world.batch, conversions: world.conversions, order: world.order, rules: rules)
        let fast = Timeline(
            world.batch, conversions: world.conversions, order: world.order, rules: rules)
        let difference = Disagreement(tolerance: 1e-9).between(
            slow.mergedIntervals(), fast.mergedIntervals)
        if let difference { Issue.record("seed \(seed): \(difference)") }
    }
}

import HealthEngine
import HealthTesting
import Testing

/// The engine's merge against the slow one of HealthTesting, on every small world.
@Suite("the engine agrees with the slow merge on every small world")
struct SlowMergeAgreementTests {
    static let sources: Int32 = 3
    static let worlds = SmallWorlds(sources: sources, last: 4)

    /// Bucket layouts: whole, unit, offset by half and clipped, uneven with an empty outside.
    static let layouts: [[Double]] = [
        [0, 5], [0, 1, 2, 3, 4, 5], [0.5, 1.5, 2.5, 3.5], [-3, -1, 0, 0.5, 3, 4, 9],
    ]

    /// Excluded sources by rank: nobody, the winner, the second.
    static let exclusions: [Set<Int32>] = [[], [2], [1]]

    /// Worlds of four samples are most of all: how many of them a question meets.
    enum Largest: Int {
        case all = 1
        /// The layouts take turns; together they meet every world.
        case inTurn = 4
        /// One in sixteen.
        case few = 16

        #if DEBUG
            static let amounts = Largest.inTurn
            static let readings = Largest.few
        #else
            static let amounts = Largest.all
            static let readings = Largest.inTurn
        #endif
    }

    /// Asks `difference` about the worlds that fall to a layout, until three disagree.
    private func eachWorld(
        _ name: String, layout: Int, largest: Largest, exclusions: [Set<Int32>],
        difference: (SampleBatch, SourceOrder) -> String?
    ) {
        var number = 0
        var asked = 0
        var disagreements = 0
        let count = Self.worlds.each(upTo: 4) { world in
            number += 1
            let isLargest = world.count == 4
            if disagreements > 2 { return }
            if isLargest && (number + layout) % largest.rawValue != 0 { return }
            let (batch, noExclusion) = SmallWorlds.batch(of: world, sources: Self.sources)
            var order = noExclusion
            for excluded in isLargest ? [exclusions[number % exclusions.count]] : exclusions {
                order.excluded = excluded
                asked += 1
                guard let text = difference(batch, order) else { continue }
                disagreements += 1
                Issue.record("\(name): \(text)\n\(Disagreement.describe(batch, order))")
            }
        }
        print("\(name), layout \(layout): \(asked) questions to \(count) worlds")
    }

    private func agree(
        _ aggregation: SampleType.Aggregation, _ name: String, layout: Int, tolerance: Double,
        largest: Largest, rules: StatisticsRules = StatisticsRules(),
        exclusions: [Set<Int32>] = Self.exclusions
    ) {
        var rules = rules
        rules.separation = .bySource
        let edges = Self.layouts[layout]
        let conversions = [UnitConversion?](repeating: .identity, count: Int(Self.sources))
        let compare = Disagreement(tolerance: tolerance)
        eachWorld(name, layout: layout, largest: largest, exclusions: exclusions) { batch, order in
            let slow = SlowMerge(batch, conversions: conversions, order: order, rules: rules)
            return compare.between(
                slow.statistics(of: aggregation, over: edges),
                batch.statistics(
                    of: aggregation, over: edges, conversions: conversions, order: order,
                    rules: rules),
                bySource: true)
        }
    }

    @Test("sums, durations and counts, exactly", arguments: layouts.indices)
    func cumulative(layout: Int) {
        agree(.cumulative, "cumulative", layout: layout, tolerance: 0, largest: .amounts)
    }

    @Test("sums where near samples cover the gap between them", arguments: layouts.indices)
    func gapTolerance(layout: Int) {
        var rules = StatisticsRules()
        rules.gapTolerance = layout % 2 == 0 ? 1.5 : 2
        agree(
            .cumulative, "gap tolerance", layout: layout, tolerance: 0, largest: .amounts,
            rules: rules,
            exclusions: [[]])
    }

    @Test(
        "readings of every discrete style",
        arguments: [
            SampleType.Aggregation.discreteArithmetic, .discreteTemporallyWeighted,
            .discreteEquivalentContinuousLevel,
        ])
    func discrete(_ style: SampleType.Aggregation) {
        for layout in [0, 2] {
            var rules = StatisticsRules()
            rules.maximumGap = 1
            agree(
                style, "\(style)", layout: layout, tolerance: 1e-12, largest: .readings,
                rules: rules)
        }
    }

    @Test(
        "readings left out where a higher source has its own",
        arguments: [
            SampleType.Aggregation.discreteArithmetic, .discreteTemporallyWeighted,
            .discreteEquivalentContinuousLevel,
        ])
    func discreteMerge(_ style: SampleType.Aggregation) {
        for layout in [1, 3] {
            var rules = StatisticsRules()
            rules.discreteMerge = .bySourceOrder
            agree(
                style, "\(style) by source order", layout: layout, tolerance: 1e-12,
                largest: .readings, rules: rules)
        }
    }

    @Test("the timeline says who won every stretch and moment")
    func timeline() {
        let conversions = [UnitConversion?](repeating: .identity, count: Int(Self.sources))
        eachWorld("timeline", layout: 0, largest: .inTurn, exclusions: Self.exclusions) {
            batch, order in
            let rules = StatisticsRules()
            let slow = SlowMerge(batch, conversions: conversions, order: order, rules: rules)
            let fast = Timeline(batch, conversions: conversions, order: order, rules: rules)
            return Disagreement(tolerance: 0).between(slow.stretches(), fast.stretches)
        }
    }
}

import HealthEngine
import HealthTesting
import Testing

/// The engine against the slow merge of HealthTesting, on every world of up to four samples of
/// three sources on a grid of five moments.
@Suite("the engine agrees with the slow merge on every small world")
struct SlowMergeAgreementTests {
    static let sources: Int32 = 3
    static let worlds = SmallWorlds(sources: sources, last: 4)
    static let conversions = [UnitConversion?](repeating: .identity, count: Int(sources))

    /// Whole; a second each; cut in the middle of seconds; uneven with room on both sides.
    static let layouts: [[Double]] = [
        [0, 5], [0, 1, 2, 3, 4, 5], [0.5, 1.5, 2.5, 3.5], [-3, -1, 0, 0.5, 3, 4, 9],
    ]

    /// Nobody, the best source, the second.
    static let exclusions: [Set<Int32>] = [[], [sources - 1], [sources - 2]]

    /// How many questions are asked of the worlds.
    enum Breadth {
        /// Every world meets every layout.
        case everyLayout
        /// Every world meets one layout; layouts and exclusions take turns.
        case inTurn
        /// As `inTurn`, with one in 64 of the worlds of four samples.
        case some

        #if DEBUG
            static let amounts = Breadth.inTurn
            static let readings = Breadth.some
        #else
            static let amounts = Breadth.everyLayout
            static let readings = Breadth.inTurn
        #endif
    }

    static let styles: [SampleType.Aggregation] = [
        .discreteArithmetic, .discreteTemporallyWeighted, .discreteEquivalentContinuousLevel,
    ]

    /// Asks for the difference on each world until three disagree.
    private func eachWorld(
        _ name: String, _ breadth: Breadth, values: (Int) -> Double = SmallWorlds.amount,
        difference: (SampleBatch, SourceOrder, _ edges: [Double]) -> String?
    ) {
        var number = 0
        var asked = 0
        var disagreements = 0
        let count = Self.worlds.each(upTo: 4) { world in
            number += 1
            if disagreements > 2 || breadth == .some && world.count == 4 && number % 64 != 0 {
                return
            }
            let (batch, ranking) = SmallWorlds.batch(
                of: world, sources: Self.sources, values: values)
            let turn = number / 4
            let layouts = breadth == .everyLayout ? Self.layouts : [Self.layouts[number % 4]]
            for (place, edges) in layouts.enumerated() {
                var order = ranking
                order.excluded = Self.exclusions[(turn + place) % Self.exclusions.count]
                asked += 1
                guard let text = difference(batch, order, edges) else { continue }
                disagreements += 1
                Issue.record(
                    "\(name) over \(edges): \(text)\n\(Disagreement.describe(batch, order))")
            }
        }
        print("\(name): \(asked) questions to \(count) small worlds")
    }

    private func agree(
        _ aggregation: SampleType.Aggregation, _ name: String, _ breadth: Breadth,
        tolerance: Double, change: (inout StatisticsRules) -> Void = { _ in }
    ) {
        var rules = StatisticsRules()
        rules.separation = .bySource
        change(&rules)
        let compare = Disagreement(
            tolerance: tolerance)
        eachWorld(
            name, breadth,
            values: aggregation == .cumulative ? SmallWorlds.amount : SmallWorlds.level
        ) { batch, order, edges in
            let slow = SlowMerge(batch, conversions: Self.conversions, order: order, rules: rules)
            let fast = batch.statistics(
                of: aggregation, over: edges, conversions: Self.conversions, order: order,
                rules: rules)
            return compare.between(
                slow.statistics(of: aggregation, over: edges), fast, bySource: true)
        }
    }

    @Test("sums, durations and counts, to the last bit")
    func cumulative() {
        agree(.cumulative, "cumulative", .amounts, tolerance: 0)
    }

    @Test("sums where near samples cover the gap between them", arguments: [1.5, 2, 2.5])
    func gapTolerance(tolerance: Double) {
        agree(.cumulative, "gap tolerance \(tolerance)", .readings, tolerance: 0) {
            $0.gapTolerance = tolerance
        }
    }

    @Test("readings of every discrete style", arguments: styles)
    func discrete(_ style: SampleType.Aggregation) {
        agree(style, "\(style)", .readings, tolerance: 1e-12) { $0.maximumGap = 1 }
    }

    @Test("readings left out where a higher source has its own", arguments: styles)
    func discreteMerge(_ style: SampleType.Aggregation) {
        agree(style, "\(style) by source order", .readings, tolerance: 1e-12) {
            $0.discreteMerge = .bySourceOrder
        }
    }

    @Test("seconds of each value of a category")
    func categories() {
        var rules = StatisticsRules()
        rules.separation = .bySource
        eachWorld("category", .readings, values: { Double($0 % 2) }) { batch, order, edges in
            let slow = SlowMerge(batch, conversions: Self.conversions, order: order, rules: rules)
            return Disagreement(tolerance: 0).between(
                slow.categories(over: edges),
                batch.categoryStatistics(over: edges, order: order, rules: rules))
        }
    }

    @Test("the timeline says who won every stretch and moment", arguments: [0, 1.5])
    func timeline(gapTolerance: Double) {
        var rules = StatisticsRules()
        rules.gapTolerance = gapTolerance
        eachWorld("timeline, gap tolerance \(gapTolerance)", .readings) { batch, order, _ in
            let slow = SlowMerge(batch, conversions: Self.conversions, order: order, rules: rules)
            let fast = Timeline(batch, conversions: Self.conversions, order: order, rules: rules)
            return Disagreement(tolerance: 0).between(slow.stretches(), fast.stretches)
        }
    }
}

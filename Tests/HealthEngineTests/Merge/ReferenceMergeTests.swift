import HealthEngine
import HealthTesting
import Testing

/// The engine compared with the reference merge of HealthTesting, on every set of up to four
/// samples of three sources on a grid of five times.
@Suite("the engine agrees with the slow merge on every small world")
struct ReferenceMergeTests {
    static let sources: Int32 = 3
    static let worlds = SmallWorlds(sources: sources, last: 4).all(upTo: 4)
    static let conversions = [UnitConversion?](repeating: .identity, count: Int(sources))

    /// Bucket edges: one bucket; a second each; inside seconds; uneven with room on both sides.
    static let layouts: [[Double]] = [
        [0, 5], [0, 1, 2, 3, 4, 5], [0.5, 1.5, 2.5, 3.5], [-3, -1, 0, 0.5, 3, 4, 9],
    ]

    /// The excluded sources: none, the highest-priority one, the second.
    static let exclusions: [Set<Int32>] = [[], [sources - 1], [sources - 2]]

    /// How many combinations are tested.
    enum Breadth: Equatable {
        /// Every set with every layout.
        case everyLayout
        /// Every set with one layout; layouts and exclusions alternate.
        case inTurn
        /// Like `inTurn`, but only one in 64 of the sets with this many samples or more.
        case some(from: Int)

        #if DEBUG
            private static let isQuick = TestTier.current == .quick
            static let amounts = isQuick ? Breadth.some(from: 3) : .inTurn
            static let readings = Breadth.some(from: isQuick ? 3 : 4)
        #else
            static let amounts = Breadth.everyLayout
            static let readings = Breadth.inTurn
        #endif
    }

    static let styles: [SampleType.Aggregation] = [
        .discreteArithmetic, .discreteTemporallyWeighted, .discreteEquivalentContinuousLevel,
    ]

    /// Computes the difference for each set until three differ.
    private func eachWorld(
        _ name: String, _ breadth: Breadth, values: (Int) -> Double = SmallWorlds.amount,
        difference: (SampleBatch, SourceOrder, _ edges: [Double]) -> String?
    ) {
        var asked = 0
        var disagreements = 0
        for (number, world) in zip(1..., Self.worlds) where disagreements <= 2 {
            if case .some(let size) = breadth, world.count >= size, number % 64 != 0 { continue }
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
        print("\(name): \(asked) questions to \(Self.worlds.count) small worlds")
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
            let slow = ReferenceMerge(
                batch, conversions: Self.conversions, order: order, rules: rules)
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
            let slow = ReferenceMerge(
                batch, conversions: Self.conversions, order: order, rules: rules)
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
            let slow = ReferenceMerge(
                batch, conversions: Self.conversions, order: order, rules: rules)
            let fast = Timeline(batch, conversions: Self.conversions, order: order, rules: rules)
            return Disagreement(tolerance: 0).between(slow.mergedIntervals(), fast.mergedIntervals)
        }
    }
}

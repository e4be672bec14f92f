import HealthEngine
import HealthTesting
import Testing

/// The engine compared with the reference merge of HealthTesting, on every set of up to four
/// samples of three sources on a grid of five times.
@Suite("The engine equals the reference merge on every small input")
struct ReferenceMergeTests {
    static let sources: Int32 = 3
    static let combinations = ExhaustiveBatches(sources: sources, last: 4).all(upTo: 4)
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
        case alternating
        /// Like `alternating`, but only one in 64 of the sets with this many samples or more.
        case some(from: Int)

        #if DEBUG
            private static let isQuick = TestTier.current == .quick
            static let amounts = isQuick ? Breadth.some(from: 3) : .alternating
            static let readings = Breadth.some(from: isQuick ? 3 : 4)
        #else
            static let amounts = Breadth.everyLayout
            static let readings = Breadth.alternating
        #endif
    }

    static let styles: [SampleType.Aggregation] = [
        .discreteArithmetic, .discreteTemporallyWeighted, .discreteEquivalentContinuousLevel,
    ]

    /// Computes the difference for each set until three differ.
    private func forEachCombination(
        _ name: String, _ breadth: Breadth, values: (Int) -> Double = ExhaustiveBatches.amount,
        difference: (SampleBatch, SourceOrder, _ edges: [Double]) -> String?
    ) {
        var caseCount = 0
        var differenceCount = 0
        for (number, combination) in zip(1..., Self.combinations) where differenceCount <= 2 {
            if case .some(let size) = breadth, combination.count >= size, number % 64 != 0 {
                continue
            }
            let (batch, ranking) = ExhaustiveBatches.batch(
                of: combination, sources: Self.sources, values: values)
            let turn = number / 4
            let layouts = breadth == .everyLayout ? Self.layouts : [Self.layouts[number % 4]]
            for (place, edges) in layouts.enumerated() {
                var order = ranking
                order.excluded = Self.exclusions[(turn + place) % Self.exclusions.count]
                caseCount += 1
                guard let text = difference(batch, order, edges) else { continue }
                differenceCount += 1
                Issue.record(
                    "\(name) over \(edges): \(text)\n\(ResultComparison.describe(batch, order))")
            }
        }
        print("\(name): \(caseCount) cases of \(Self.combinations.count) combinations")
    }

    private func agree(
        _ aggregation: SampleType.Aggregation, _ name: String, _ breadth: Breadth,
        tolerance: Double, change: (inout StatisticsRules) -> Void = { _ in }
    ) {
        var rules = StatisticsRules()
        rules.separation = .bySource
        change(&rules)
        let compare = ResultComparison(
            tolerance: tolerance)
        forEachCombination(
            name, breadth,
            values: aggregation == .cumulative ? ExhaustiveBatches.amount : ExhaustiveBatches.level
        ) { batch, order, edges in
            let slow = ReferenceMerge(
                batch, conversions: Self.conversions, order: order, rules: rules)
            let fast = batch.statistics(
                of: aggregation, over: edges, conversions: Self.conversions, order: order,
                rules: rules)
            return compare.difference(
                slow.statistics(of: aggregation, over: edges), fast, bySource: true)
        }
    }

    @Test("sums, durations and counts, to the last bit")
    func cumulative() {
        agree(.cumulative, "cumulative", .amounts, tolerance: 0)
    }

    @Test("sums with a gap tolerance", arguments: [1.5, 2, 2.5])
    func gapTolerance(tolerance: Double) {
        agree(.cumulative, "gap tolerance \(tolerance)", .readings, tolerance: 0) {
            $0.gapTolerance = tolerance
        }
    }

    @Test("readings of every discrete style", arguments: styles)
    func discrete(_ style: SampleType.Aggregation) {
        agree(style, "\(style)", .readings, tolerance: 1e-12) { $0.maximumGap = 1 }
    }

    @Test("discrete statistics by source order", arguments: styles)
    func discreteMerge(_ style: SampleType.Aggregation) {
        agree(style, "\(style) by source order", .readings, tolerance: 1e-12) {
            $0.discreteMerge = .bySourceOrder
        }
    }

    @Test("category durations equal those counted second by second")
    func categories() {
        var rules = StatisticsRules()
        rules.separation = .bySource
        forEachCombination("category", .readings, values: { Double($0 % 2) }) {
            batch, order, edges in
            let slow = ReferenceMerge(
                batch, conversions: Self.conversions, order: order, rules: rules)
            return ResultComparison(tolerance: 0).difference(
                slow.categories(over: edges),
                batch.categoryStatistics(over: edges, order: order, rules: rules))
        }
    }

    @Test("merged intervals and instants", arguments: [0, 1.5])
    func timeline(gapTolerance: Double) {
        var rules = StatisticsRules()
        rules.gapTolerance = gapTolerance
        forEachCombination("timeline, gap tolerance \(gapTolerance)", .readings) {
            batch, order, _ in
            let slow = ReferenceMerge(
                batch, conversions: Self.conversions, order: order, rules: rules)
            let fast = Timeline(batch, conversions: Self.conversions, order: order, rules: rules)
            return ResultComparison(tolerance: 0).difference(
                slow.mergedIntervals(), fast.mergedIntervals)
        }
    }
}

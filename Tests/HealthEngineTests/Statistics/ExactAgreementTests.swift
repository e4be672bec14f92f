import HealthTesting
import Testing

@testable import HealthEngine

/// Fast calculations compared with slow ones, bit by bit, on random samples.
@Suite("Statistics have the same bits as a search through all samples")
struct ExactAgreementTests {
    /// Random columns of one to eight sources on a coarse grid, so that times coincide, and some
    /// between its points.
    private struct World {
        var columns = SampleColumns()
        var batch = SampleBatch()
        var edges: [Double] = []
        var order: SourceOrder

        init(_ random: inout SeededRandom) {
            let sources = Int32.random(in: 1...8, using: &random)
            batch.sources = (0..<sources).map { Source(name: "\($0)", bundleIdentifier: "\($0)") }
            batch.origins = (0..<sources).map { Origin(source: $0) }
            let ranking = (0..<sources).shuffled(using: &random)
            order = SourceOrder(
                ranking: ranking, excluded: sources > 3 && Bool.random(using: &random) ? [1] : [])
            let count = Int.random(in: 1...60, using: &random)
            let (mayCoincide, instants) = (
                Bool.random(using: &random), Int.random(in: 0...2, using: &random)
            )
            for number in 0..<count {
                var start = Double(Int.random(in: 0..<count * 3, using: &random))
                if Int.random(in: 0..<4, using: &random) == 0 {
                    start += Double.random(in: 0..<1, using: &random)
                }
                if !mayCoincide, batch.samples.contains(where: { $0.start == start }) { continue }
                batch.samples.append(
                    Sample(
                        type: 1, origin: Int32.random(in: 0..<sources, using: &random),
                        start: start, end: Self.end(start, instants, &random),
                        created: [Double.nan, 1, 2].randomElement(using: &random) ?? 1,
                        value: Double(Int.random(in: 1...90, using: &random)) / 7,
                        key: Int64(number)))
            }
            batch.sort()
            edges = Set((0..<9).map { _ in Double(Int.random(in: -2...200, using: &random)) })
                .sorted()
            if edges.count < 2 { edges = [0, 1] }
            if Bool.random(using: &random) { edges = [-.infinity] + edges + [.infinity] }
            fillColumns()
        }

        private static func end(
            _ start: Double, _ instants: Int, _ random: inout SeededRandom
        ) -> Double {
            switch Int.random(in: 0..<20, using: &random) {
            case 0 where instants > 0: Sample.undeterminedEnd
            case 0..<5 where instants > 1: start
            case 5..<8: start + Double.random(in: 0.1...30, using: &random)
            case 8: start + 90
            default: start + Double(Int.random(in: 1...12, using: &random))
            }
        }

        private mutating func fillColumns() {
            columns.start = batch.samples.map(\.start)
            columns.end = batch.samples.map(\.end)
            columns.value = batch.samples.map(\.value)
            columns.origin = batch.samples.map { UInt16($0.origin) }
            columns.origins = batch.origins.indices.map { Int32($0) }
            columns.created = batch.samples.map(\.created)
            if zip(columns.start, columns.start.dropFirst()).allSatisfy({ $0 < $1 }) {
                columns.created = Array(columns.created.prefix(1))
            }
            columns.isWellFormed = columns.end.allSatisfy { $0 != Sample.undeterminedEnd }
        }

        var conversions: [UnitConversion?] { batch.origins.map { _ in .identity } }

        func sweep(_ aggregation: SampleType.Aggregation, window: Int) -> StatisticsSweep {
            StatisticsSweep(
                of: aggregation, over: edges, origins: batch.origins,
                sources: batch.sources.count, conversions: conversions, order: order,
                rules: StatisticsRules(), window: window)
        }

        /// Adds the columns in random parts.
        func statistics(
            _ aggregation: SampleType.Aggregation, _ random: inout SeededRandom
        ) -> [Statistics] {
            let window = Int.random(in: 1...80, using: &random)
            var sweep = sweep(aggregation, window: window)
            var first = 0
            while first < columns.count {
                let end = min(columns.count, first + Int.random(in: 1...60, using: &random))
                sweep.add(columns, first..<end)
                first = end
            }
            return sweep.finish().statistics
        }
    }

    /// The number of random worlds: more with `OPENHEALTH_TESTS=torture`.
    private static let rounds = TestTier.count(quick: 300, all: 1_000, torture: 10_000)

    @Test("merged sums of up to eight sources, from samples and from columns")
    func sums() {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for round in 0..<Self.rounds {
            let world = World(&random)
            let eligibility = SampleEligibility(
                world.batch, reading: .quantities(world.conversions), order: world.order,
                rules: StatisticsRules())
            let slow = SlowSums(
                entries: world.batch.entries(eligibility).entries, ranks: eligibility.ranks)
            let expected = slow.statistics(over: world.edges)
            let fromSamples = world.batch.statistics(
                of: .cumulative, over: world.edges, conversions: world.conversions,
                order: world.order)
            let fromColumns = world.statistics(.cumulative, &random)
            #expect(fromSamples == expected, "seed \(seed), round \(round), samples")
            #expect(fromColumns == expected, "seed \(seed), round \(round), columns")
            if fromSamples != expected || fromColumns != expected { return }
        }
    }

    @Test("time-weighted means of long runs of instants, which are added at once if they are exact")
    func means() {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for round in 0..<Self.rounds {
            var world = World(&random)
            world.batch.samples = Self.readings(&random)
            world.columns.start = world.batch.samples.map(\.start)
            world.columns.end = world.batch.samples.map(\.end)
            world.columns.value = world.batch.samples.map(\.value)
            (world.columns.origin, world.columns.origins) = ([], [0])
            world.columns.created = [.nan]
            world.columns.isWellFormed = true
            world.order = SourceOrder(ranking: [])
            var oneByOne = world.sweep(.discreteTemporallyWeighted, window: 10)
            for sample in world.batch.samples { oneByOne.add(sample) }
            let expected = oneByOne.finish().statistics
            let found = world.statistics(.discreteTemporallyWeighted, &random)
            #expect(found == expected, "seed \(seed), round \(round)")
            if found != expected { return }
        }
    }

    /// Returns readings of one source: mostly instants at whole seconds with values of few bits,
    /// and in some worlds values and times that are rounded in sums.
    private static func readings(_ random: inout SeededRandom) -> [Sample] {
        let divisors: [[Double]] = [
            [1, 8, 1024], [8], [7], [1, -1], [1e-12], [1e-9, 1], [0x1p-11],
        ]
        let values = divisors.randomElement(using: &random) ?? [1]
        let times: Double = [1, 2, 512, 1024, 1e-6, 3].randomElement(using: &random) ?? 1
        var time = 0.0
        return (0..<Int.random(in: 1...150, using: &random)).map { _ in
            time += Double(Int.random(in: 1...900, using: &random)) / times
            let isSpan = Int.random(in: 0..<40, using: &random) == 0
            let end = isSpan ? time + 7 : time
            defer { time = end }
            let divisor = values.randomElement(using: &random) ?? 1
            return Sample(
                type: 1, origin: 0, start: time, end: end,
                value: Double(Int.random(in: 0...1600, using: &random)) / divisor)
        }
    }
}

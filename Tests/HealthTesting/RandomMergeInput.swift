public import HealthEngine

/// A large set of random samples from a few sources, with the irregularities of real data.
public struct RandomMergeInput {
    /// The samples, sources and origins.
    public let batch: SampleBatch
    /// The conversion of each origin to the canonical unit, or nil for an unknown unit.
    public let conversions: [UnitConversion?]
    /// The source order with its exclusions.
    public let order: SourceOrder
    /// The edges of buckets in seconds since 2001, ascending.
    public let edges: [Double]
    /// The time up to which samples without an end last, in seconds since 2001.
    public let horizon: Double

    /// Creates long and short samples, instants, duplicates, equal starts, open and reversed ends,
    /// fractional times, unranked and excluded sources, and unknown units.
    ///
    /// - Parameters:
    ///   - count: The number of samples.
    ///   - seed: The seed of the generator.
    public init(samples count: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let span = Double(count) * Double.random(in: 2...20, using: &random)
        let sources = Int32.random(in: 1...5, using: &random)
        horizon = span * 0.9
        var samples: [Sample] = []
        while samples.count < count {
            var sample = Self.sample(span: span, origins: sources * 2, random: &random)
            sample.key = Int64.random(in: 0...3, using: &random) << 32 | Int64(samples.count)
            samples.append(sample)
            if Int.random(in: 0..<20, using: &random) == 0 {
                sample.key += 1 << 40
                samples.append(sample)
            }
        }
        var batch = SampleBatch(samples: samples)
        batch.sources = (0..<sources).map { Source(name: "S\($0)", bundleIdentifier: "test.\($0)") }
        batch.origins = (0..<sources * 2).map { Origin(source: $0 / 2, version: "\($0)") }
        batch.sort()
        self.batch = batch
        conversions = (0..<sources * 2).map { origin in
            switch origin {
            case 3: UnitConversion(multiplier: 10, divisor: 3)
            case 7: nil
            default: .identity
            }
        }
        var ranking = Array((0..<sources).shuffled(using: &random))
        if sources > 2 { ranking.removeLast() }
        order = SourceOrder(ranking: ranking, excluded: sources > 3 ? [ranking[1]] : [])
        let cuts = (0..<40).map { _ in Double.random(in: -50...span * 1.1, using: &random) }
        let some = samples.prefix(20)
        edges = Set(cuts + some.map(\.start) + some.map(\.end))
            .filter { $0 < Sample.undeterminedEnd }.sorted()
    }

    private static func sample(span: Double, origins: Int32, random: inout SeededRandom) -> Sample {
        var start = Double.random(in: 0...span, using: &random)
        if Bool.random(using: &random) { start = start.rounded() }
        let length: Double =
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<20: 0
            case 20..<60: Double.random(in: 1...30, using: &random).rounded()
            case 60..<90: Double.random(in: 0.001...300, using: &random)
            case 90..<98: Double.random(in: 0...span / 5, using: &random)
            case 98: -1
            default: Sample.undeterminedEnd
            }
        let created: Double =
            Bool.random(using: &random) ? .nan : Double.random(in: 0...9, using: &random).rounded()
        return Sample(
            type: 1, origin: Int32.random(in: 0..<origins, using: &random), start: start,
            end: length == Sample.undeterminedEnd ? length : start + length, created: created,
            value: Double.random(in: 0...120, using: &random))
    }
}

public import HealthEngine

/// Every small combination of samples on a grid of whole seconds.
///
/// Combinations that differ only in the order of their samples count as one. So do those that
/// differ only in unused ranks: the ranks in use are always 0, 1, … without a gap.
public struct ExhaustiveBatches: Sendable {
    /// The position of a sample and the rank of its source.
    public struct Placement: Hashable, Sendable {
        /// The rank of the source; 0 is the highest priority.
        public let rank: Int32
        /// The first second.
        public let start: Int
        /// The end, exclusive; equal to the start for an instant.
        public let end: Int
    }

    /// All positions on the grid.
    public let placements: [Placement]
    /// The least common multiple of possible durations and half seconds. Every share of a sample's
    /// value is then a whole number, and sums are exact in any order.
    public static let valueUnit = 24.0

    /// Creates all positions of `sources` sources on the grid 0…`last`, including instants.
    ///
    /// - Parameters:
    ///   - sources: The number of sources.
    ///   - last: The last second of the grid.
    public init(sources: Int32, last: Int) {
        var placements: [Placement] = []
        for rank in 0..<sources {
            for start in 0...last {
                for end in start...last {
                    placements.append(Placement(rank: rank, start: start, end: end))
                }
            }
        }
        self.placements = placements
    }

    /// Returns every combination of 1 to `maximum` samples.
    ///
    /// - Parameter maximum: The largest number of samples.
    /// - Returns: The combinations.
    /// - Complexity: O(n^maximum) for n positions.
    public func all(upTo maximum: Int) -> [[Placement]] {
        var combination: [Placement] = []
        var combinations: [[Placement]] = []
        func extend(from first: Int) {
            if !combination.isEmpty && Self.hasContiguousRanks(combination) {
                combinations.append(combination)
            }
            if combination.count == maximum { return }
            for index in first..<placements.count {
                combination.append(placements[index])
                extend(from: index)
                combination.removeLast()
            }
        }
        extend(from: 0)
        return combinations
    }

    /// Returns whether the ranks in use have no gap. Positions are sorted by rank.
    private static func hasContiguousRanks(_ combination: [Placement]) -> Bool {
        var next: Int32 = 0
        for placement in combination {
            if placement.rank > next { return false }
            next = max(next, placement.rank + 1)
        }
        return true
    }

    /// Returns the value of a cumulative sample: 24, 240, 2400 …
    ///
    /// - Parameter index: The index of the sample.
    /// - Returns: ``valueUnit`` times a power of ten.
    public static func amount(_ index: Int) -> Double {
        (0..<index).reduce(valueUnit) { value, _ in value * 10 }
    }

    /// Returns the value of a discrete sample: 50, 61, 72 …
    ///
    /// - Parameter index: The index of the sample.
    /// - Returns: The value.
    public static func level(_ index: Int) -> Double { 50 + 11 * Double(index) }

    /// Returns a batch of a combination, in (start, key) order.
    ///
    /// Source indices run against ranks, so that a confusion of the two is found. Amounts are
    /// powers of ten, so that a sum shows which samples it contains.
    ///
    /// - Parameters:
    ///   - combination: The positions of the samples.
    ///   - sources: The number of sources.
    ///   - values: The value of the sample with an index.
    /// - Returns: The batch and the source order.
    public static func batch(
        of combination: [Placement], sources: Int32,
        values: (Int) -> Double = ExhaustiveBatches.amount
    ) -> (SampleBatch, SourceOrder) {
        var samples: [Sample] = []
        for (index, placement) in combination.enumerated() {
            samples.append(
                Sample(
                    type: 1, origin: sources - 1 - placement.rank, start: Double(placement.start),
                    end: Double(placement.end), created: Double(index % 2), value: values(index),
                    key: Int64((index * 7) % 5)))
        }
        var batch = SampleBatch(samples: samples)
        batch.sources = (0..<sources).map { Source(name: "S\($0)", bundleIdentifier: "test.\($0)") }
        batch.origins = (0..<sources).map { Origin(source: $0) }
        batch.sort()
        return (batch, SourceOrder(ranking: (0..<sources).reversed()))
    }
}

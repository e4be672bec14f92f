/// The statistics of one category type in one bucket of time: the duration and number of samples of
/// each value.
public struct CategoryStatistics: Hashable, Sendable {
    /// The numbers of a bucket, either merged over sources or of one source.
    public struct Values: Hashable, Sendable {
        /// The time of each raw value in seconds; 0 for a value with instants only. Time that is
        /// covered by several samples with the same value is counted once. Times of different
        /// values can overlap, such as in bed and asleep.
        public var seconds: [Int: Double] = [:]
        /// The number of contributing samples of each raw value. A sample is counted in every
        /// bucket to which it contributes.
        public var counts: [Int: Int] = [:]
        /// The number of samples that touch the bucket, contributing or not.
        public var count = 0

        /// Creates values without samples.
        package init() {}
    }

    /// The start of the bucket (inclusive), in reference seconds.
    public var start: Double
    /// The end of the bucket (exclusive), in reference seconds.
    public var end: Double
    /// The values after sources are merged.
    public var merged: Values
    /// The values of each source's own samples, by source index of the batch; nil unless requested.
    public var bySource: [Int32: Values]?

    package init(start: Double, end: Double, merged: Values, bySource: [Int32: Values]? = nil) {
        self.start = start
        self.end = end
        self.merged = merged
        self.bySource = bySource
    }
}

extension SampleBatch {
    /// Computes the statistics of a category type for the buckets between adjacent edges.
    ///
    /// At each time, only the highest-priority source with a covering sample counts. An instant
    /// counts unless a higher-priority source has a sample at its time (Semantics §1.7).
    ///
    /// Samples with a raw value that is not a whole number or with invalid times are skipped, as
    /// are samples of undetermined duration that start at the horizon or later.
    /// ``Timeline/init(categories:order:rules:)`` counts them.
    ///
    /// - Parameters:
    ///   - edges: Bucket boundaries in reference seconds, strictly ascending: n + 1 for n buckets.
    ///     The first and last can be infinite. For any other list the result is empty.
    ///   - order: The source order and the excluded sources.
    ///   - rules: Options; `separation`, `gapTolerance` and `horizon` are used here.
    /// - Returns: The buckets that a sample of an included source touches, in order of time.
    /// - Complexity: O(n log n + edges + m log m) for n samples, and m merged intervals and touched
    ///   buckets.
    public func categoryStatistics(
        over edges: [Double], order: SourceOrder, rules: StatisticsRules = .init()
    ) -> [CategoryStatistics] {
        guard edges.areBucketBoundaries else { return [] }
        let eligibility = SampleEligibility(self, reading: .categories, order: order, rules: rules)
        let entries = entries(eligibility).entries
        let merge = SourceMerge(entries, ranks: eligibility.ranks, gapTolerance: rules.gapTolerance)
        let merged = merge.categoryTallies(over: edges)
        var statistics: [Int: CategoryStatistics] = [:]
        for (bucket, tally) in merged {
            statistics[bucket] = CategoryStatistics(
                start: edges[bucket], end: edges[bucket + 1], merged: tally.values,
                bySource: rules.separation == .bySource ? [:] : nil)
        }
        if rules.separation == .bySource {
            for (source, own) in Dictionary(grouping: entries, by: \.source) {
                let alone = SourceMerge(own, ranks: eligibility.ranks, gapTolerance: 0)
                for (bucket, tally) in alone.categoryTallies(over: edges) {
                    statistics[bucket]?.bySource?[source] = tally.values
                }
            }
        }
        return statistics.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The accumulator of one bucket of a category type.
private struct CategoryTally {
    private struct JoinKey: Hashable {
        var source: Int32
        var value: Int
    }

    private(set) var values = CategoryStatistics.Values()
    /// The time up to which a source and value are counted. Samples are in order of start, so later
    /// samples add no time before it.
    private var counted: [JoinKey: Double] = [:]

    mutating func countSample() { values.count += 1 }

    /// Adds the kept pieces of a sample, clipped to the bucket.
    ///
    /// - Parameters:
    ///   - entry: The sample.
    ///   - pieces: The kept pieces in order of time.
    ///   - high: The end of the sample, clipped to the bucket, in reference seconds.
    mutating func add(_ entry: MergeEntry, _ pieces: some Sequence<Span>, upTo high: Double) {
        let value = Int(clamping: entry.value)
        let key = JoinKey(source: entry.source, value: value)
        let known = counted[key] ?? -.infinity
        var seconds = 0.0
        for piece in pieces where piece.end > known {
            seconds += piece.end - max(piece.start, known)
        }
        values.seconds[value, default: 0] += seconds
        values.counts[value, default: 0] += 1
        if !entry.isInstant { counted[key] = max(known, high) }
    }
}

extension SourceMerge {
    /// Returns the accumulators of the populated buckets by bucket index.
    fileprivate func categoryTallies(over edges: [Double]) -> [Int: CategoryTally] {
        var tallies: [Int: CategoryTally] = [:]
        var cursor = BucketCursor(edges: edges)
        for (index, entry) in entries.enumerated() {
            guard cursor.advance(to: entry) else { continue }
            let fullSpan = [Span(start: entry.start, end: entry.end)]
            var remainingPieces =
                countedParts[index].isEverything ? fullSpan[...] : pieces[countedParts[index].range]
            cursor.forEachBucket(of: entry) { bucket, low, high in
                tallies[bucket, default: CategoryTally()].countSample()
                if !entry.isInstant { remainingPieces = remainingPieces.drop { $0.end <= low } }
                let inside = remainingPieces.prefix { $0.start < high || entry.isInstant }.map {
                    Span(start: max($0.start, low), end: min($0.end, high))
                }
                if !inside.isEmpty { tallies[bucket]?.add(entry, inside, upTo: high) }
            }
        }
        return tallies
    }
}

/// The statistics of one type in one bucket of time.
///
/// Quantities are in the type's canonical unit. A number is nil if the bucket has no such value.
/// Nil does not mean zero (Semantics §5.8).
public struct Statistics: Hashable, Sendable {
    /// The numbers of a bucket, either merged over sources or of one source.
    public struct Values: Hashable, Sendable {
        /// The sum; cumulative types only.
        public var sum: Double?
        /// The average, computed as ``SampleType/Aggregation`` describes; discrete types only.
        public var average: Double?
        /// The minimum; discrete types only.
        public var minimum: Double?
        /// The maximum; discrete types only.
        public var maximum: Double?
        /// The value of the most recent contributing sample: the one with the latest start.
        public var mostRecent: Double?
        /// The start of the most recent contributing sample, in reference seconds.
        public var mostRecentStart: Double?
        /// The recorded end of the most recent contributing sample, in reference seconds.
        public var mostRecentEnd: Double?
        /// The time covered by at least one contributing sample, clipped to the bucket, in seconds.
        public var duration: Double?
        /// The number of samples that touch the bucket, contributing or not.
        public var count: Int

        /// Creates values without numbers.
        ///
        /// - Parameter count: The number of samples that touch the bucket.
        public init(count: Int = 0) { self.count = count }
    }

    /// The start of the bucket (inclusive), in reference seconds.
    public var start: Double
    /// The end of the bucket (exclusive), in reference seconds.
    public var end: Double
    /// The values after sources are merged.
    public var merged: Values
    /// The values of each source's own samples, by source index of the batch; nil unless requested.
    public var bySource: [Int32: Values]?

    public init(start: Double, end: Double, merged: Values, bySource: [Int32: Values]? = nil) {
        self.start = start
        self.end = end
        self.merged = merged
        self.bySource = bySource
    }
}

/// Options for the calculation of statistics.
public struct StatisticsRules: Hashable, Sendable {
    /// Whether values of each source are computed in addition to the merged values (`bySource`) or
    /// not (`mergedOnly`; Semantics §4).
    public enum Separation: Sendable { case mergedOnly, bySource }
    /// Whether the discrete samples of all sources count (`allSources`), or only those at times at
    /// which no higher-priority source has a sample (`bySourceOrder`; Semantics §3.6).
    public enum DiscreteMerge: Sendable { case allSources, bySourceOrder }

    /// Whether values of each source are computed. The default is merged values only.
    public var separation: Separation = .mergedOnly
    /// How discrete samples of several sources are merged. The default is all sources.
    public var discreteMerge: DiscreteMerge = .allSources
    /// The tolerated gap, in seconds. During a shorter gap between two samples of one source,
    /// lower-priority sources do not count (Semantics §1.8). The default is 0.
    public var gapTolerance: Double = 0
    /// The largest weight of the gap next to a reading without duration in a time-weighted average,
    /// in seconds (Semantics §3.3). A longer gap has this weight. The default is 600.
    public var maximumGap: Double = 600
    /// The time at which category samples of undetermined duration end, in reference seconds: now,
    /// or the end of the query. The default is infinity, which leaves the end in the year 4001.
    /// Quantities of undetermined duration count at their start.
    public var horizon: Double = .infinity

    /// Creates the default rules.
    public init() {}
}

extension SampleBatch {
    /// Computes the statistics of a quantity type for the buckets between adjacent edges.
    ///
    /// ```
    /// edges  [13:00, 14:00, 15:00], one sample of 100 steps 13:57–14:02
    ///        → [13:00, 14:00) sum 60    [14:00, 15:00) sum 40
    /// ```
    ///
    /// Buckets are half-open. A bucket is populated if a sample of an included source overlaps it
    /// by more than zero time, or is an instant in it. Sums are added in (start, key) order within
    /// the bucket, and they do not depend on data outside it (except through
    /// ``StatisticsRules/gapTolerance``).
    ///
    /// - `sum` (cumulative types) counts each time for one source only (Semantics §1) and divides
    ///   samples across boundaries in proportion to time (§2.4). With edges
    ///   `[-.infinity, .infinity]` every sample counts whole, as in a query without buckets (§2.3).
    /// - `average` depends on the aggregation style (§3.2 to §3.4). It, `minimum` and `maximum` are
    ///   over all included sources, or over the samples that remain after a merge by source order
    ///   (``StatisticsRules/DiscreteMerge/bySourceOrder``).
    /// - `mostRecent` is the contributing sample with the latest start. Ties are decided by the
    ///   later end, then the later creation date, then the larger key (§3.5). Its value is never
    ///   divided.
    /// - `duration` is the time that contributing samples cover in the bucket, in seconds (§3.7).
    ///   Overlaps are counted once. It is 0 if there are only instants.
    /// - `count` is the number of samples of included sources that touch the bucket, including
    ///   samples that do not count because of higher-priority sources.
    /// - `bySource` is computed from each source's own samples, without a merge (§4).
    ///
    /// Invalid samples are skipped; ``Timeline/skipped`` counts them.
    ///
    /// - Parameters:
    ///   - aggregation: The aggregation style of the type.
    ///   - edges: Bucket boundaries in reference seconds, strictly ascending: n + 1 for n buckets.
    ///     The first and last can be infinite. For any other list the result is empty.
    ///   - conversions: Conversions to the canonical unit by origin index; nil where there is none.
    ///   - order: The source order and the excluded sources.
    ///   - rules: Options for the calculation.
    /// - Returns: The populated buckets in order of time.
    /// - Complexity: O(n + edges + touched buckets) for a batch in order. Sorting adds O(n log n).
    ///   For cumulative types and `.bySourceOrder`, the merge adds O(n log n + merged intervals).
    public func statistics(
        of aggregation: SampleType.Aggregation, over edges: [Double],
        conversions: [UnitConversion?], order: SourceOrder, rules: StatisticsRules = .init()
    ) -> [Statistics] {
        func sweep() -> StatisticsSweep {
            StatisticsSweep(
                of: aggregation, over: edges, origins: origins, sources: sources.count,
                conversions: conversions, order: order, rules: rules)
        }
        var first = sweep()
        if first.add(self) { return first.finish().statistics }
        var sorted = sweep()
        sorted.addSorted(self)
        return sorted.finish().statistics
    }
}

extension [Double] {
    /// Whether the numbers are strictly ascending and delimit at least one bucket.
    var areBucketBoundaries: Bool {
        count > 1 && indices.dropFirst().allSatisfy { self[$0 - 1] < self[$0] }
    }
}

/// What one bucket of time holds of one type.
///
/// Quantities are in the type's canonical unit. A nil means that the bucket has no such value,
/// never zero (Semantics §5.8).
public struct Statistics: Hashable, Sendable {
    /// The numbers of a bucket, merged over sources or of one source alone.
    public struct Values: Hashable, Sendable {
        public var sum: Double?
        public var average: Double?
        public var minimum: Double?
        public var maximum: Double?
        public var mostRecent: Double?
        /// Start and end of the most recent reading, in reference seconds.
        public var mostRecentStart: Double?
        public var mostRecentEnd: Double?
        /// Seconds covered by at least one contributing sample, clipped to the bucket.
        public var duration: Double?
        /// Samples that touch the bucket.
        public var count: Int

        public init(count: Int = 0) { self.count = count }
    }

    /// Bucket borders in reference seconds; the bucket is `[start, end)`.
    public var start: Double
    public var end: Double
    public var merged: Values
    /// By source index of the batch, each over that source's own samples only; nil unless asked for.
    public var bySource: [Int32: Values]?

    public init(start: Double, end: Double, merged: Values, bySource: [Int32: Values]? = nil) {
        self.start = start
        self.end = end
        self.merged = merged
        self.bySource = bySource
    }
}

/// How statistics are computed where the rules leave a choice.
public struct StatisticsRules: Hashable, Sendable {
    /// Whether per-source values stand beside the merged ones.
    public enum Separation: Sendable { case mergedOnly, bySource }
    /// Whether a discrete reading is left out while a higher source has one
    /// (Semantics §3.6).
    public enum DiscreteMerge: Sendable { case allSources, bySourceOrder }

    public var separation: Separation = .mergedOnly
    public var discreteMerge: DiscreteMerge = .allSources
    /// Two samples of one source nearer than this, in seconds, cover the gap between them with
    /// nothing (Semantics §1.8).
    public var gapTolerance: Double = 0
    /// The longest gap between instant readings that counts in a time-weighted average, in seconds
    /// (Semantics §3.3).
    public var maximumGap: Double = 600
    /// Where category samples of undetermined duration end: now, or the end of the question.
    /// Quantities of undetermined duration count where they start.
    public var horizon: Double = .infinity

    public init() {}
}

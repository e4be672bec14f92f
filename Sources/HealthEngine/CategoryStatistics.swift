/// What one bucket of time holds of one category type: how long each value lasted, how often it
/// came.
public struct CategoryStatistics: Hashable, Sendable {
    /// The numbers of a bucket, merged over sources or of one source alone.
    public struct Values: Hashable, Sendable {
        /// Seconds by raw value, overlaps of one value counted once; 0 for a value that only
        /// instants have. Values may overlap each other: in bed and asleep.
        public var seconds: [Int: Double] = [:]
        /// Contributing samples by raw value, each in every bucket it contributes to.
        public var counts: [Int: Int] = [:]
        /// Samples that touch the bucket, contributing or not.
        public var count = 0

        public init() {}
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

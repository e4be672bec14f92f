public import HealthEngine

/// A handwritten test case of the merge or of calendar buckets: recorded samples and expected
/// results.
///
/// It is read from a text file. `Tests/Scenarios/README.md` describes the format.
public struct Scenario: Sendable {
    /// How the values of its samples are merged.
    public enum Kind: Sendable, Equatable {
        case quantity(SampleType.Aggregation)
        case category
    }

    /// A number that a bucket must have, or must not have if the value is nil.
    public struct Expectation: Sendable {
        /// `sum`, `average`, `minimum`, `maximum`, `mostRecent`, `mostRecentStart`,
        /// `mostRecentEnd`, `duration`, `count`, or a category's raw value.
        public var quantity: String
        /// The index of the source; nil for the merged value.
        public var source: Int32?
        /// The expected number; nil if there must be none.
        public var value: Double?
        /// The line in the file, counted from 1.
        public var line: Int
    }

    /// A bucket with its expected numbers. Times are seconds since 2001; the end is exclusive.
    public struct Bucket: Sendable {
        public var start: Double
        public var end: Double
        /// The expected numbers, or nil if no sample may be in the bucket.
        public var expectations: [Expectation]?
        /// The line in the file, counted from 1.
        public var line: Int
    }

    /// A merged interval of the timeline: its source and value.
    public struct MergedInterval: Sendable {
        /// The index of the source.
        public var source: Int32
        /// The start in seconds since 2001.
        public var start: Double
        /// The end in seconds since 2001, exclusive.
        public var end: Double
        /// The part of the sample's value in the interval.
        public var value: Double
        /// The line in the file, counted from 1.
        public var line: Int
    }

    /// The path of the file.
    public var path: String
    public var name: String
    /// The kind of the type.
    public var kind: Kind = .quantity(.cumulative)
    /// The recorded samples.
    public var batch = SampleBatch()
    /// The conversion of each origin to the canonical unit, or nil for an unknown unit.
    public var conversions: [UnitConversion?] = []
    /// The source order with its exclusions.
    public var order = SourceOrder(ranking: [])
    /// The rules of the statistics.
    public var rules = StatisticsRules()
    /// The edges of the buckets: from the file, or else those of the expected buckets.
    public var edges: [Double] = []
    /// The calendar request of the file, if it has one.
    public var calendar: CalendarRequest?
    /// The expected buckets.
    public var buckets: [Bucket] = []
    /// The whole timeline, or nil if the file doesn't specify it.
    public var mergedIntervals: [MergedInterval]?

    /// The boundaries of the expected buckets; those that touch share one.
    public var expectedBoundaries: [Double] {
        Set(buckets.flatMap { [$0.start, $0.end] }).sorted()
    }
}

extension Scenario: CustomStringConvertible {
    /// The name for test reports.
    public var description: String { name }
}

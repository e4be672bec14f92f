public import HealthEngine

/// One hand-made case of the merge or of calendar buckets: what was recorded, and what comes out.
///
/// Read from a plain text file (`Tests/Scenarios/README.md` has the format).
public struct Scenario: Sendable {
    /// How the values of its samples are brought together.
    public enum Kind: Sendable, Equatable {
        case quantity(SampleType.Aggregation)
        case category
    }

    /// One number that a bucket must have (or, if nil, must not have).
    public struct Expectation: Sendable {
        /// `sum`, `average`, `minimum`, `maximum`, `mostRecent`, `mostRecentStart`,
        /// `mostRecentEnd`, `duration`, `count`, or a category's raw value.
        public var quantity: String
        /// Index of the source it is said of; nil for the merged value.
        public var source: Int32?
        public var value: Double?
        public var line: Int
    }

    public struct Bucket: Sendable {
        public var start: Double
        public var end: Double
        /// Nothing where no sample may touch the bucket.
        public var expectations: [Expectation]?
        public var line: Int
    }

    /// A stretch of the timeline: who won it and with how much.
    public struct Stretch: Sendable {
        public var source: Int32
        public var start: Double
        public var end: Double
        public var value: Double
        public var line: Int
    }

    public var path: String
    public var name: String
    public var kind: Kind = .quantity(.cumulative)
    public var batch = SampleBatch()
    public var conversions: [UnitConversion?] = []
    public var order = SourceOrder(ranking: [])
    public var rules = StatisticsRules()
    /// Borders of the buckets: given by the file, else those of the expected buckets.
    public var edges: [Double] = []
    public var calendar: CalendarRequest?
    public var buckets: [Bucket] = []
    /// The whole timeline, or nil where the file says nothing of it.
    public var stretches: [Stretch]?

    /// Borders of the expected buckets alone, joined where they touch.
    public var expectedBorders: [Double] {
        Set(buckets.flatMap { [$0.start, $0.end] }).sorted()
    }
}

extension Scenario: CustomStringConvertible {
    /// Its name, as test reports show it.
    public var description: String { name }
}

/// One recorded object as numbers: what was measured, when, and who wrote it.
///
/// A sample carries no text. Its `origin` and `metadata` are indices into the tables of the
/// ``SampleBatch`` it stands in, so that a million samples share a few hundred origins.
///
/// Times are seconds since 2001-01-01T00:00:00Z, exactly the double of Foundation's
/// `Date.timeIntervalSinceReferenceDate`.
public struct Sample: Hashable, Sendable {
    /// The catalogue's number of the sample's type (``SampleType/code``).
    public var type: Int32
    /// Index into ``SampleBatch/origins``.
    public var origin: Int32
    /// Index into ``SampleBatch/metadata``, or -1 for none.
    public var metadata: Int32
    /// Start, in reference seconds.
    public var start: Double
    /// End, in reference seconds; equal to `start` for an instant.
    public var end: Double
    /// When the sample was saved to HealthKit, in reference seconds; NaN where unknown.
    public var created: Double
    /// The value in the unit of the origin; a category's raw value; NaN where a type has none.
    public var value: Double
    /// Orders samples of equal type and start, and finds an imported sample by its UUID.
    public var key: Int64
    /// The store-wide number of the change that wrote this row; 0 before it is stored.
    public var sequence: Int64

    public init(
        type: Int32, origin: Int32, metadata: Int32 = -1, start: Double, end: Double,
        created: Double = .nan, value: Double = .nan, key: Int64 = 0, sequence: Int64 = 0
    ) {
        self.type = type
        self.origin = origin
        self.metadata = metadata
        self.start = start
        self.end = end
        self.created = created
        self.value = value
        self.key = key
        self.sequence = sequence
    }
}

extension Sample {
    /// 4001-01-01T00:00:00Z, the end HealthKit gives a sample whose duration is undetermined.
    ///
    /// It is the reference time of Foundation's `Date.distantFuture`.
    public static let undeterminedEnd: Double = 63_113_904_000

    /// Whether the end is not known: stored, exempt from duration limits, never spread over buckets.
    public var isUndetermined: Bool { end == Sample.undeterminedEnd }

    /// Whether start and end are the same moment.
    public var isInstant: Bool { start == end }
}

/// One recorded object, with numbers and indices only.
///
/// A sample has no text. Its `origin` and `metadata` are indices into the tables of its
/// ``SampleBatch``, because many samples have the same source, unit and metadata.
///
/// Times are seconds since 2001-01-01T00:00:00Z (“reference seconds”). They are bit-identical to
/// Foundation's `Date.timeIntervalSinceReferenceDate`.
public struct Sample: Hashable, Sendable {
    /// The catalogue's code of the sample's type (``SampleType/code``).
    public var type: Int32
    /// An index into ``SampleBatch/origins``.
    public var origin: Int32
    /// An index into ``SampleBatch/metadata``, or -1 for none.
    public var metadata: Int32
    /// The start, in reference seconds.
    public var start: Double
    /// The end, in reference seconds; equal to `start` for an instant.
    public var end: Double
    /// The creation date, in reference seconds; NaN if unknown.
    public var created: Double
    /// The value in the unit of the sample's origin, or a category's raw value; NaN for types
    /// without a value.
    public var value: Double
    /// The secondary sort key for samples of equal type and start. It is also part of the UUID of
    /// an imported sample.
    public var key: Int64
    /// The sequence number of the change that wrote the sample to its store; 0 if it is not stored.
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
    /// The end of samples of undetermined duration, in reference seconds: 4001-01-01T00:00:00Z.
    public static let undeterminedEnd: Double = 63_113_904_000

    /// Whether the end is unknown, that is ``undeterminedEnd``. Such a sample is exempt from
    /// duration limits (Semantics §9.5). In statistics, a quantity then counts at its start, and a
    /// category sample ends at ``StatisticsRules/horizon``.
    public var isUndetermined: Bool { end == Sample.undeterminedEnd }

    /// Whether start and end are equal.
    public var isInstant: Bool { start == end }
}

/// One quantity of a quantity series (Semantics §3.8).
public struct SeriesQuantity: Hashable, Sendable {
    /// The start, in reference seconds.
    public var start: Double
    /// The end, in reference seconds.
    public var end: Double
    /// The value in the unit of the sample's origin.
    public var value: Double

    public init(start: Double, end: Double, value: Double) {
        self.start = start
        self.end = end
        self.value = value
    }
}

extension SeriesQuantity: ArrayCodable {
    package static let blank = SeriesQuantity(start: 0, end: 0, value: 0)
    package static let layout: [ArrayField<SeriesQuantity>] = [
        .number({ $0.start }, { $0.start = $1 }), .number({ $0.end }, { $0.end = $1 }),
        .number({ $0.value }, { $0.value = $1 }),
    ]
}

extension SeriesQuantity: Codable {
    /// Decodes an array `[start,end,value]`.
    public init(from decoder: any Decoder) throws { try self.init(array: decoder) }
    public func encode(to encoder: any Encoder) throws { try encode(asArray: encoder) }
}

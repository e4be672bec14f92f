/// What a sample is a sample of: a row of the catalogue, never a class of its own.
public struct SampleType: Sendable {
    /// How values of a quantity type are brought together over time
    /// (Apple's `HKQuantityAggregationStyle`; Semantics §3.1).
    public enum Aggregation: UInt8, Sendable, Hashable, CaseIterable {
        /// Amounts that add up, split over borders pro rata: steps, energy.
        case cumulative
        /// Readings with a plain mean: body mass, oxygen saturation.
        case discreteArithmetic
        /// Readings weighted by time: heart rate.
        case discreteTemporallyWeighted
        /// Sound levels, averaged by energy: environmental audio exposure.
        case discreteEquivalentContinuousLevel
    }

    /// Which of HealthKit's families a type belongs to; the raw values are stored.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        case quantity = 1
        case category = 2
        case correlation = 3
        case workout = 4
        case activitySummary = 5
        /// Series, documents and everything else that has a type identifier.
        case other = 6
    }

    /// A number fixed for ever: stored rows and UUIDs carry it. Types the catalogue doesn't know
    /// get theirs, 20000 and up, from the store that met them.
    public let code: Int32
    /// Apple's identifier: "HKQuantityTypeIdentifierStepCount".
    public let identifier: String
    /// Apple's Swift name: "stepCount". The identifier itself for unknown types.
    public let name: String
    public let kind: Kind
    /// Quantity types only.
    public let aggregation: Aggregation?
    /// The unit arithmetic is done in; quantity types only.
    public let canonicalUnit: String?
    /// The unit people read; the same on every machine.
    public let displayUnit: String?
    /// Category types only: the name of the enumeration its values come from.
    public let valueEnumeration: String?
    /// Metadata keys without which HealthKit refuses a sample: HKInsulinDeliveryReason for insulin
    /// (Semantics §9.5). Imports never ask for them.
    public let requiredMetadata: [String]
    /// Names of the types of which a correlation needs exactly one sample each:
    /// bloodPressureSystolic and bloodPressureDiastolic for a blood pressure.
    public let requiredMembers: [String]

    public init(
        code: Int32, identifier: String, name: String, kind: Kind,
        aggregation: Aggregation? = nil, canonicalUnit: String? = nil, displayUnit: String? = nil,
        valueEnumeration: String? = nil, requiredMetadata: [String] = [],
        requiredMembers: [String] = []
    ) {
        self.code = code
        self.identifier = identifier
        self.name = name
        self.kind = kind
        self.aggregation = aggregation
        self.canonicalUnit = canonicalUnit
        self.displayUnit = displayUnit
        self.valueEnumeration = valueEnumeration
        self.requiredMetadata = requiredMetadata
        self.requiredMembers = requiredMembers
    }
}

extension SampleType: Hashable {
    public static func == (a: SampleType, b: SampleType) -> Bool { a.identifier == b.identifier }
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

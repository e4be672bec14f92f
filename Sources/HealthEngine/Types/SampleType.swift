/// A sample type: a row of the catalogue. There is no class for each type.
public struct SampleType: Sendable {
    /// How values of a quantity type are aggregated over time (Apple's
    /// `HKQuantityAggregationStyle`; Semantics §3.1).
    public enum Aggregation: UInt8, Sendable, Hashable, CaseIterable {
        /// Amounts that are added and divided at borders in proportion to time: steps, energy.
        case cumulative
        /// Readings with an unweighted mean: body mass, oxygen saturation.
        case discreteArithmetic
        /// Readings weighted by time: heart rate.
        case discreteTemporallyWeighted
        /// Sound levels, averaged by energy: environmental audio exposure.
        case discreteEquivalentContinuousLevel
    }

    /// The kind of a HealthKit type. The raw values are stored and must not change.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// A number with a unit.
        case quantity = 1
        /// A value of an enumeration.
        case category = 2
        /// A group of samples, such as a blood pressure.
        case correlation = 3
        /// A workout.
        case workout = 4
        /// The activity summary of a day.
        case activitySummary = 5
        /// Series, documents and all other types.
        case other = 6
    }

    /// A number that never changes, because rows and UUIDs contain it. Types that the
    /// catalogue does not have get a code of 20000 or more from the store.
    public let code: Int32
    /// Apple's identifier: "HKQuantityTypeIdentifierStepCount".
    public let identifier: String
    /// Apple's Swift name: "stepCount". For unknown types it is the identifier.
    public let name: String
    /// The kind of the type.
    public let kind: Kind
    /// The aggregation style; nil for all but quantity types.
    public let aggregation: Aggregation?
    /// The unit used in calculations; nil for all but quantity types.
    public let canonicalUnit: String?
    /// The unit used for display. It does not depend on the locale.
    public let displayUnit: String?
    /// The name of the enumeration of the values; nil for all but category types.
    public let valueEnumeration: String?
    /// Metadata keys that a sample must have to be saved: HKInsulinDeliveryReason for insulin
    /// (Semantics §9.5). Imports do not require them.
    public let requiredMetadata: [String]
    /// The names of the types of which a correlation must have exactly one sample each:
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

extension SampleType {
    /// Returns the kind of a type identifier, including types that the catalogue does not have.
    ///
    /// `kind(ofIdentifier: "HKQuantityTypeIdentifierMoonlight")` is `.quantity`, by its prefix.
    ///
    /// - Parameter identifier: Apple's identifier.
    /// - Returns: The kind; `.other` if neither the catalogue nor the prefix determines it.
    public static func kind(ofIdentifier identifier: String) -> Kind {
        if let known = Catalogue.type(identifier: identifier) { return known.kind }
        if identifier.hasPrefix("HKQuantityTypeIdentifier") { return .quantity }
        if identifier.hasPrefix("HKCategoryTypeIdentifier") { return .category }
        if identifier.hasPrefix("HKCorrelationTypeIdentifier") { return .correlation }
        return .other
    }
}

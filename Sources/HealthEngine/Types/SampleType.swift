/// A type of samples, such as step count. ``Catalogue`` has those that HealthKit defines.
public struct SampleType: Sendable {
    /// How values of a quantity type are aggregated over time (Apple's
    /// `HKQuantityAggregationStyle`; Semantics §3.1).
    public enum Aggregation: UInt8, Sendable, Hashable, CaseIterable {
        /// Amounts that are added and divided at boundaries in proportion to time: steps, energy.
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

    /// A number that never changes, because stored samples and their UUIDs contain it. Types that
    /// the catalogue does not have get a code of 20000 or more from the store.
    public let code: Int32
    /// Apple's identifier: "HKQuantityTypeIdentifierStepCount".
    public let identifier: String
    /// Apple's Swift name: "stepCount". For types that the catalogue does not have, it is the
    /// identifier.
    public let name: String
    /// The kind of the type.
    public let kind: Kind
    /// The part of health that the type belongs to. Types that the catalogue does not have belong to
    /// ``HealthDomain/vitals``.
    public let domain: HealthDomain
    /// The aggregation style. Nil for types that are not quantity types of the catalogue.
    public let aggregation: Aggregation?
    /// The unit used in calculations. Nil for types that are not quantity types of the catalogue.
    public let canonicalUnit: String?
    /// The unit used for display, whatever the locale. Nil for types that are not quantity types of
    /// the catalogue.
    public let displayUnit: String?
    /// The name of the enumeration of the values. Nil for types that are not category types of the
    /// catalogue.
    public let valueEnumeration: String?
    /// Metadata keys without which an app cannot save a sample: HKInsulinDeliveryReason for insulin
    /// (Semantics §9.5). Imported samples need not have them.
    public let requiredMetadata: [String]
    /// The names of the types of which a correlation must contain exactly one sample each:
    /// bloodPressureSystolic and bloodPressureDiastolic for a blood pressure. Empty for other
    /// types.
    public let requiredMembers: [String]

    package init(
        code: Int32, identifier: String, name: String, kind: Kind, domain: HealthDomain = .vitals,
        aggregation: Aggregation? = nil, canonicalUnit: String? = nil, displayUnit: String? = nil,
        valueEnumeration: String? = nil, requiredMetadata: [String] = [],
        requiredMembers: [String] = []
    ) {
        self.code = code
        self.identifier = identifier
        self.name = name
        self.kind = kind
        self.domain = domain
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
    package static func kind(ofIdentifier identifier: String) -> Kind {
        if let known = Catalogue.type(identifier: identifier) { return known.kind }
        if identifier.hasPrefix("HKQuantityTypeIdentifier") { return .quantity }
        if identifier.hasPrefix("HKCategoryTypeIdentifier") { return .category }
        if identifier.hasPrefix("HKCorrelationTypeIdentifier") { return .correlation }
        return .other
    }
}

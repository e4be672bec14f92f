import HealthEngine

/// The codes of a HealthKit type in FHIR.
struct FHIRCode: Sendable {
    /// Apple's identifier.
    let identifier: String
    /// The LOINC codes, those that a profile requires first.
    let loinc: [String]
    /// The code of FHIR's observation category; nil for that of the type's domain.
    let category: String?
    /// The name of the profile of FHIR R4 that applies, such as "heartrate".
    let profile: String?
    /// The UCUM code of the values if it isn't that of the type's unit.
    let ucum: String?

    init(
        _ identifier: String, loinc: [String], category: String? = nil, profile: String? = nil,
        ucum: String? = nil
    ) {
        self.identifier = identifier
        self.loinc = loinc
        self.category = category
        self.profile = profile
        self.ucum = ucum
    }

    private static let byIdentifier = Dictionary(
        rows.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

    /// Returns the codes of a type; nil if no LOINC code is known.
    static func code(of identifier: String) -> FHIRCode? { byIdentifier[identifier] }
}

/// A unit in HealthKit's notation and in UCUM.
struct FHIRUnit: Hashable, Sendable {
    /// HealthKit's notation.
    let symbol: String
    /// The UCUM code; nil if UCUM has none.
    let ucum: String?
    /// What a value is multiplied with: 100 for percentages, which are fractions in HealthKit.
    let scale: Int

    init(_ symbol: String, ucum: String?, scale: Int = 1) {
        self.symbol = symbol
        self.ucum = ucum
        self.scale = scale
    }

    private static let bySymbol = Dictionary(
        rows.map { ($0.symbol, $0) }, uniquingKeysWith: { first, _ in first })

    /// Returns the unit with a symbol; without a UCUM code if it has none.
    ///
    /// Other notations of the same unit are recognized: "count/min" and "min^-1·count".
    static func unit(_ symbol: String) -> FHIRUnit {
        if let known = bySymbol[symbol] { return known }
        if let unit = try? HealthUnit(symbol), let known = bySymbol[unit.description] {
            return FHIRUnit(symbol, ucum: known.ucum, scale: known.scale)
        }
        return FHIRUnit(symbol, ucum: nil)
    }
}

/// The code systems, and codes of this project where no public ones exist.
enum FHIRSystem {
    static let loinc = "http://loinc.org"
    static let ucum = "http://unitsofmeasure.org"
    static let category = "http://terminology.hl7.org/CodeSystem/observation-category"
    static let absentReason = "http://terminology.hl7.org/CodeSystem/data-absent-reason"
    static let participant = "http://terminology.hl7.org/CodeSystem/provenance-participant-type"
    /// IEEE 11073 (MDC), which FHIR's example of an electrocardiogram uses.
    static let mdc = "urn:oid:2.16.840.1.113883.6.24"
    static let profiles = "http://hl7.org/fhir/StructureDefinition/"
    /// HealthKit's identifiers of types.
    static let type = own("healthkit-type")
    /// HealthKit's names of category values, as exports write them.
    static let value = own("healthkit-value")
    /// HealthKit's names of workout activities.
    static let activity = own("healthkit-workout-activity")
    /// What HealthKit has no identifier for: nights, parts of workouts. See ``FHIRMeasure``.
    static let measure = own("measure")
    /// How a value came about. See ``FHIRMethod``.
    static let method = own("method")
    /// Identifiers of stores, which identify the patient.
    static let store = own("store")
    /// Bundle identifiers of sources.
    static let source = own("source")

    private static func own(_ name: String) -> String { "urn:x-openhealthkit:\(name)" }
}

/// Codes of ``FHIRSystem/measure``.
enum FHIRMeasure: String, CaseIterable {
    case sleepNight = "sleep-night"
    case sleepNap = "sleep-nap"
    case inBed = "sleep-in-bed"
    case awake = "sleep-awake"
    case rem = "sleep-rem"
    case core = "sleep-core"
    case deep = "sleep-deep"
    /// Asleep, without a known stage.
    case unspecified = "sleep-unspecified"
    case workoutDuration = "workout-duration"

    var text: String {
        switch self {
        case .sleepNight: "Sleep of a night"
        case .sleepNap: "Nap"
        case .inBed: "Time in bed"
        case .awake: "Time awake"
        case .rem: "REM sleep"
        case .core: "Core sleep"
        case .deep: "Deep sleep"
        case .unspecified: "Sleep of an unknown stage"
        case .workoutDuration: "Duration without pauses"
        }
    }
}

/// How a value came about: codes of ``FHIRSystem/method``.
enum FHIRMethod: String {
    /// An amount as a source recorded it. It may overlap amounts of other sources.
    case recorded
    /// Without double counting: at each time, the source with the highest priority counts.
    case merged
    /// Apple's total, larger than the sum of the stored samples.
    case appleTotal = "apple-total"

    var text: String {
        switch self {
        case .recorded: "As recorded; may overlap other sources"
        case .merged: "Merged by source priority, without double counting"
        case .appleTotal: "Apple's total"
        }
    }
}

public import Foundation

/// A dose taken or skipped. The family is left for later: what and how much isn't kept.
// Immutable.
open class HKMedicationDoseEvent: HKSample, @unchecked Sendable {
    /// The sample's type.
    open var medicationDoseEventType: HKMedicationDoseEventType {
        sampleType as? HKMedicationDoseEventType ?? .medicationDoseEventType()
    }

    /// Whether it was planned; as needed, as it isn't kept.
    open var scheduleType: ScheduleType { .asNeeded }
    /// Which medication; one that equals no other, as it isn't kept.
    open var medicationConceptIdentifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(_domain: .medication)
    }
    /// When it was planned for; nil, as it isn't kept.
    open var scheduledDate: Date? { nil }
    /// How much was planned; nil, as it isn't kept.
    open var scheduledDoseQuantity: Double? { nil }
    /// How much was taken; nil, as it isn't kept.
    open var doseQuantity: Double? { nil }
    /// What became of it; not logged, as it isn't kept.
    open var logStatus: LogStatus { .notLogged }
    /// What doses are counted in.
    open var unit: HKUnit { .count() }
}

/// A concept of medicine: a medication.
// Immutable.
open class HKHealthConceptIdentifier: NSObject, NSCopying, @unchecked Sendable {
    /// What kind of concept.
    public let domain: HKHealthConceptDomain

    init(_domain: HKHealthConceptDomain) { domain = _domain }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A code of a medical vocabulary: RxNorm, SNOMED CT.
// Immutable.
open class HKClinicalCoding: NSObject, NSCopying, @unchecked Sendable {
    /// Which vocabulary, as a URL.
    public let system: String
    /// Which edition of it.
    public let version: String?
    /// The code itself.
    public let code: String

    /// A code of a vocabulary.
    public init(system: String, version: String?, code: String) {
        self.system = system
        self.version = version
        self.code = code
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override var hash: Int { code.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKClinicalCoding else { return false }
        return system == other.system && version == other.version && code == other.code
    }
}

/// A medication, as its vocabulary has it.
// Immutable.
open class HKMedicationConcept: NSObject, @unchecked Sendable {
    /// Who it is.
    public let identifier: HKHealthConceptIdentifier
    /// What people read.
    public let displayText: String
    /// A tablet, a spray, …
    public let generalForm: HKMedicationGeneralForm
    /// Its codes.
    public let relatedCodings: Set<HKClinicalCoding>

    init(_displayText: String, generalForm: HKMedicationGeneralForm) {
        identifier = HKHealthConceptIdentifier(_domain: .medication)
        displayText = _displayText
        self.generalForm = generalForm
        relatedCodings = []
    }
}

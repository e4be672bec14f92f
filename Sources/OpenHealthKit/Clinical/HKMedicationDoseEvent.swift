public import Foundation

/// A dose taken or skipped. The details of doses are not implemented: medication, amount and status
/// are not stored.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKMedicationDoseEvent: HKSample, @unchecked Sendable {
    /// The type of the sample.
    open var medicationDoseEventType: HKMedicationDoseEventType {
        sampleType as? HKMedicationDoseEventType ?? .medicationDoseEventType()
    }

    /// Whether the dose was scheduled; always `asNeeded`, because the schedule is not stored.
    open var scheduleType: ScheduleType { .asNeeded }
    /// The identifier of the medication. Because the medication is not stored, each access returns
    /// a new identifier that equals no other.
    open var medicationConceptIdentifier: HKHealthConceptIdentifier {
        HKHealthConceptIdentifier(_domain: .medication)
    }
    /// The time the dose was scheduled for; always nil, because it is not stored.
    open var scheduledDate: Date? { nil }
    /// The scheduled amount in ``unit``; always nil, because it is not stored.
    open var scheduledDoseQuantity: Double? { nil }
    /// The amount taken in ``unit``; always nil, because it is not stored.
    open var doseQuantity: Double? { nil }
    /// Whether the dose was taken or skipped; always `notLogged`, because it is not stored.
    open var logStatus: LogStatus { .notLogged }
    /// The unit of the dose; always `count`.
    open var unit: HKUnit { .count() }
}

/// The identifier of a medical concept, such as a medication. Two identifiers are equal only if
/// they are the same object.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKHealthConceptIdentifier: NSObject, NSCopying, @unchecked Sendable {
    /// The kind of concept.
    public let domain: HKHealthConceptDomain

    init(_domain: HKHealthConceptDomain) { domain = _domain }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A code of a medical coding system such as RxNorm or SNOMED CT.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKClinicalCoding: NSObject, NSCopying, @unchecked Sendable {
    /// The URL of the coding system.
    public let system: String
    /// The version of the coding system.
    public let version: String?
    /// The code.
    public let code: String

    /// Creates a code of a coding system.
    ///
    /// - Parameters:
    ///   - system: The URL of the coding system.
    ///   - version: The version of the coding system.
    ///   - code: The code.
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

/// A medication as described by a coding system.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKMedicationConcept: NSObject, @unchecked Sendable {
    /// The identifier of the medication.
    public let identifier: HKHealthConceptIdentifier
    /// The name shown to people.
    public let displayText: String
    /// The form of the medication, such as tablet or spray.
    public let generalForm: HKMedicationGeneralForm
    /// The codes of the medication; always empty.
    public let relatedCodings: Set<HKClinicalCoding>

    init(_displayText: String, generalForm: HKMedicationGeneralForm) {
        identifier = HKHealthConceptIdentifier(_domain: .medication)
        displayText = _displayText
        self.generalForm = generalForm
        relatedCodings = []
    }
}

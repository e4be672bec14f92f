public import Foundation
import HealthEngine

/// What a store can hold: a row of the catalogue under Apple's name.
///
/// Types are equal when their identifiers are (Semantics §9.9).
// Immutable.
open class HKObjectType: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// What the catalogue knows of the type; nil for identifiers it doesn't know.
    let row: SampleType?
    private let name: String

    /// Apple's identifier: "HKQuantityTypeIdentifierStepCount".
    open var identifier: String { name }

    /// A type by its identifier, also one that the catalogue doesn't know; not Apple's.
    public required init(_identifier: String) {
        name = _identifier
        row = Catalogue.type(identifier: _identifier)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived type; nil without its identifier.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.string("identifier") else { return nil }
        name = identifier
        row = Catalogue.type(identifier: identifier)
    }

    open func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "identifier")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKObjectType)?.name == name
    }

    open override var hash: Int { name.hashValue }
    open override var description: String { name }

    /// Whether people grant each object by itself: vision prescriptions and medications.
    open func requiresPerObjectAuthorization() -> Bool { false }

    /// The quantity type of an identifier; nil for one that HealthKit doesn't have.
    open class func quantityType(
        forIdentifier identifier: HKQuantityTypeIdentifier
    ) -> HKQuantityType? {
        known(identifier.rawValue, .quantity)
    }

    /// The category type of an identifier; nil for one that HealthKit doesn't have.
    open class func categoryType(
        forIdentifier identifier: HKCategoryTypeIdentifier
    ) -> HKCategoryType? {
        known(identifier.rawValue, .category)
    }

    /// The characteristic of an identifier; nil for one that HealthKit doesn't have.
    open class func characteristicType(
        forIdentifier identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        Catalogue.characteristic(identifier: identifier.rawValue).map { _ in
            HKCharacteristicType(identifier)
        }
    }

    /// The correlation type of an identifier; nil for one that HealthKit doesn't have.
    open class func correlationType(
        forIdentifier identifier: HKCorrelationTypeIdentifier
    ) -> HKCorrelationType? {
        known(identifier.rawValue, .correlation)
    }

    /// The document type of an identifier; nil for one that HealthKit doesn't have.
    open class func documentType(
        forIdentifier identifier: HKDocumentTypeIdentifier
    ) -> HKDocumentType? {
        HKSampleType.of(identifier: identifier.rawValue) as? HKDocumentType
    }

    /// The clinical type of an identifier; nil for one that HealthKit doesn't have.
    open class func clinicalType(
        forIdentifier identifier: HKClinicalTypeIdentifier
    ) -> HKClinicalType? {
        HKSampleType.of(identifier: identifier.rawValue) as? HKClinicalType
    }

    /// Workout routes or heartbeats, by ``HKWorkoutRouteTypeIdentifier`` and
    /// ``HKDataTypeIdentifierHeartbeatSeries``; else nil.
    open class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
        HKSampleType.of(identifier: identifier) as? HKSeriesType
    }

    /// Workouts.
    open class func workoutType() -> HKWorkoutType {
        HKWorkoutType(_identifier: HKWorkoutTypeIdentifier)
    }

    /// The rings of a day.
    open class func activitySummaryType() -> HKActivitySummaryType {
        HKActivitySummaryType(_identifier: HKActivitySummaryTypeIdentifier)
    }

    /// Hearing tests.
    open class func audiogramSampleType() -> HKAudiogramSampleType {
        HKAudiogramSampleType(_identifier: "HKDataTypeIdentifierAudiogram")
    }

    /// Electrocardiograms.
    open class func electrocardiogramType() -> HKElectrocardiogramType {
        HKElectrocardiogramType(_identifier: "HKDataTypeIdentifierElectrocardiogram")
    }

    /// Prescriptions for glasses and contacts.
    open class func visionPrescriptionType() -> HKPrescriptionType {
        HKPrescriptionType(_identifier: HKVisionPrescriptionTypeIdentifier)
    }

    /// States of mind.
    open class func stateOfMindType() -> HKStateOfMindType {
        HKStateOfMindType(_identifier: HKDataTypeIdentifierStateOfMind)
    }

    /// Doses taken or skipped.
    open class func medicationDoseEventType() -> HKMedicationDoseEventType {
        HKMedicationDoseEventType(
            _identifier: HKMedicationDoseEventTypeIdentifierMedicationDoseEvent)
    }

    /// Medications a person keeps track of.
    open class func userAnnotatedMedicationType() -> HKUserAnnotatedMedicationType {
        HKUserAnnotatedMedicationType(
            _identifier: HKDataTypeIdentifierUserAnnotatedMedicationConcept)
    }

    private static func known<Known: HKSampleType>(
        _ identifier: String, _ kind: SampleType.Kind
    ) -> Known? {
        guard Catalogue.type(identifier: identifier)?.kind == kind else { return nil }
        return HKSampleType.of(identifier: identifier) as? Known
    }
}

/// A fact about a person that isn't a sample: sex, date of birth, blood type.
// Immutable.
open class HKCharacteristicType: HKObjectType, @unchecked Sendable {
    /// A characteristic by its identifier.
    public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// The type of ``HKActivitySummary``.
// Immutable.
open class HKActivitySummaryType: HKObjectType, @unchecked Sendable {}

/// The type of medications a person keeps track of, granted one by one.
// Immutable.
open class HKUserAnnotatedMedicationType: HKObjectType, @unchecked Sendable {
    open override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The identifier of the activity summary type.
public let HKActivitySummaryTypeIdentifier = "HKActivitySummaryTypeIdentifier"

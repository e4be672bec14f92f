public import Foundation
import HealthEngine

/// A type of data in a store, identified by Apple's identifier.
///
/// Types are equal if their identifiers are equal (Semantics §9.9).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKObjectType: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The type's row in the catalogue; nil for an unknown identifier.
    let row: SampleType?
    private let name: String

    /// Apple's identifier, such as "HKQuantityTypeIdentifierStepCount".
    open var identifier: String { name }

    /// Creates a type from its identifier, which does not have to be in the catalogue. Not part of
    /// Apple's API.
    ///
    /// - Parameter _identifier: The identifier.
    public required init(_identifier: String) {
        name = _identifier
        row = Catalogue.type(identifier: _identifier)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a type; nil if its identifier is missing.
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

    /// Returns whether read access is granted for each object separately, as for prescriptions and
    /// medications.
    ///
    /// - Returns: False unless a subclass overrides it.
    open func requiresPerObjectAuthorization() -> Bool { false }

    /// Returns the quantity type with an identifier.
    ///
    /// - Parameter identifier: The identifier.
    /// - Returns: The type; nil if it is not in the catalogue.
    open class func quantityType(
        forIdentifier identifier: HKQuantityTypeIdentifier
    ) -> HKQuantityType? {
        known(identifier.rawValue, .quantity)
    }

    /// Returns the category type with an identifier.
    ///
    /// - Parameter identifier: The identifier.
    /// - Returns: The type; nil if it is not in the catalogue.
    open class func categoryType(
        forIdentifier identifier: HKCategoryTypeIdentifier
    ) -> HKCategoryType? {
        known(identifier.rawValue, .category)
    }

    /// Returns the characteristic type with an identifier.
    ///
    /// - Parameter identifier: The identifier.
    /// - Returns: The type; nil if it is not in the catalogue.
    open class func characteristicType(
        forIdentifier identifier: HKCharacteristicTypeIdentifier
    ) -> HKCharacteristicType? {
        Catalogue.characteristic(identifier: identifier.rawValue).map { _ in
            HKCharacteristicType(identifier)
        }
    }

    /// Returns the correlation type with an identifier.
    ///
    /// - Parameter identifier: The identifier.
    /// - Returns: The type; nil if it is not in the catalogue.
    open class func correlationType(
        forIdentifier identifier: HKCorrelationTypeIdentifier
    ) -> HKCorrelationType? {
        known(identifier.rawValue, .correlation)
    }

    /// Returns the document type with an identifier.
    ///
    /// - Parameter identifier: The identifier.
    /// - Returns: The type; nil if the identifier is not that of a document type.
    open class func documentType(
        forIdentifier identifier: HKDocumentTypeIdentifier
    ) -> HKDocumentType? {
        HKSampleType.of(identifier: identifier.rawValue) as? HKDocumentType
    }

    /// Returns the clinical type with an identifier.
    ///
    /// - Parameter identifier: The identifier.
    /// - Returns: The type; nil if the identifier is not that of a clinical type.
    open class func clinicalType(
        forIdentifier identifier: HKClinicalTypeIdentifier
    ) -> HKClinicalType? {
        HKSampleType.of(identifier: identifier.rawValue) as? HKClinicalType
    }

    /// Returns the series type with an identifier.
    ///
    /// - Parameter identifier: ``HKWorkoutRouteTypeIdentifier`` or
    ///   ``HKDataTypeIdentifierHeartbeatSeries``.
    /// - Returns: The type; nil for any other identifier.
    open class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
        HKSampleType.of(identifier: identifier) as? HKSeriesType
    }

    /// Returns the type of workouts.
    ///
    /// - Returns: The type.
    open class func workoutType() -> HKWorkoutType {
        HKWorkoutType(_identifier: HKWorkoutTypeIdentifier)
    }

    /// Returns the type of activity summaries, which hold the activity rings of a day.
    ///
    /// - Returns: The type.
    open class func activitySummaryType() -> HKActivitySummaryType {
        HKActivitySummaryType(_identifier: HKActivitySummaryTypeIdentifier)
    }

    /// Returns the type of hearing tests.
    ///
    /// - Returns: The type.
    open class func audiogramSampleType() -> HKAudiogramSampleType {
        HKAudiogramSampleType(_identifier: "HKDataTypeIdentifierAudiogram")
    }

    /// Returns the type of electrocardiograms.
    ///
    /// - Returns: The type.
    open class func electrocardiogramType() -> HKElectrocardiogramType {
        HKElectrocardiogramType(_identifier: "HKDataTypeIdentifierElectrocardiogram")
    }

    /// Returns the type of prescriptions for glasses and contact lenses.
    ///
    /// - Returns: The type.
    open class func visionPrescriptionType() -> HKPrescriptionType {
        HKPrescriptionType(_identifier: HKVisionPrescriptionTypeIdentifier)
    }

    /// Returns the type of states of mind.
    ///
    /// - Returns: The type.
    open class func stateOfMindType() -> HKStateOfMindType {
        HKStateOfMindType(_identifier: HKDataTypeIdentifierStateOfMind)
    }

    /// Returns the type of medication doses, taken or skipped.
    ///
    /// - Returns: The type.
    open class func medicationDoseEventType() -> HKMedicationDoseEventType {
        HKMedicationDoseEventType(
            _identifier: HKMedicationDoseEventTypeIdentifierMedicationDoseEvent)
    }

    /// Returns the type of medications that a person tracks.
    ///
    /// - Returns: The type.
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

/// The type of a fact about a person that is not a sample: sex, date of birth, blood type.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCharacteristicType: HKObjectType, @unchecked Sendable {
    /// Creates a characteristic type from its identifier.
    ///
    /// - Parameter identifier: The identifier.
    public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
        self.init(_identifier: identifier.rawValue)
    }
}

/// The type of ``HKActivitySummary``.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKActivitySummaryType: HKObjectType, @unchecked Sendable {}

/// The type of medications that a person tracks. Read access is granted for each medication
/// separately.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKUserAnnotatedMedicationType: HKObjectType, @unchecked Sendable {
    /// Returns whether read access is granted for each object separately.
    ///
    /// - Returns: True.
    open override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The identifier of the activity summary type.
public let HKActivitySummaryTypeIdentifier = "HKActivitySummaryTypeIdentifier"

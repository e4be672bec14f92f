public import Foundation
import HealthEngine

/// A medication that a person tracks, with the person's own name for it.
///
/// Apps cannot create or save medications. They come from devices and imports, or from
/// ``HKHealthStore/setMedication(_:)`` of a test or a host (Semantics §10.5f).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKUserAnnotatedMedication: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let stored: Medication

    init(_medication: Medication) { stored = _medication }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a medication; nil if its content is missing.
    public required init?(coder: NSCoder) {
        guard let stored = coder.property(Medication.self, "medication") else { return nil }
        self.stored = stored
    }

    open func encode(with coder: NSCoder) { coder.encode(property: stored, for: "medication") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The person's name for the medication; nil if there is none.
    open var nickname: String? { stored.nickname }
    /// Whether the person no longer tracks the medication; false if it is not recorded.
    open var isArchived: Bool { stored.isArchived ?? false }
    /// Whether the medication has a schedule.
    open var hasSchedule: Bool { stored.hasSchedule }
    /// The medication.
    open var medication: HKMedicationConcept { HKMedicationConcept(_medication: stored) }

    open override var hash: Int { stored.identifier.hashValue }
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKUserAnnotatedMedication)?.stored == stored
    }
    open override var description: String { nickname ?? stored.displayText }
}

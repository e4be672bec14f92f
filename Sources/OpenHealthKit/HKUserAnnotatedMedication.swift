public import Foundation

/// A medication that a person keeps track of. None are kept yet.
// Immutable.
open class HKUserAnnotatedMedication: NSObject, @unchecked Sendable {
    /// What a person calls it.
    open var nickname: String? { nil }
    /// Whether it is set aside.
    open var isArchived: Bool { false }
    /// Whether it is taken at set times.
    open var hasSchedule: Bool { false }

    /// What it is.
    open var medication: HKMedicationConcept {
        HKMedicationConcept(_displayText: "", generalForm: .unknown)
    }

    override init() {}
}

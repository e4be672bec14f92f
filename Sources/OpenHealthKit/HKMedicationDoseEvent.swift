/// A dose taken or skipped. What and how much isn't kept yet.
// Immutable.
open class HKMedicationDoseEvent: HKSample, @unchecked Sendable {}

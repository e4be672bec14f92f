/// A prescription for glasses or contacts. What it prescribes isn't kept yet.
// Immutable.
open class HKVisionPrescription: HKSample, @unchecked Sendable {}

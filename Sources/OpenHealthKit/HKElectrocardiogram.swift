/// An electrocardiogram's sample. Its voltages and findings aren't kept yet.
// Immutable.
open class HKElectrocardiogram: HKSample, @unchecked Sendable {}

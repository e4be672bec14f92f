/// A hearing test. What was heard isn't kept yet.
// Immutable.
open class HKAudiogramSample: HKSample, @unchecked Sendable {}

public import Foundation

/// A signed record of a vaccination or a test. The family is left for later: no query finds one.
// Immutable.
open class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {}

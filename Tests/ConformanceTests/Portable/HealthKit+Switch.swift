// The only file here that imports HealthKit. On a phone it is Apple's; there `HealthTesting` is
// replaced by `Tests/HealthTesting/Covers.swift`.
@_exported public import HealthKit

#if canImport(HealthTesting)
    @_exported public import HealthTesting
#endif

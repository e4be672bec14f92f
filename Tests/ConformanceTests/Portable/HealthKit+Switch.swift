// The one file here that names modules. On a phone `HealthKit` is Apple's; `HealthTesting` is left
// out there, and `Tests/HealthTesting/Covers.swift` comes along in its place.
@_exported public import HealthKit

#if canImport(HealthTesting)
    @_exported public import HealthTesting
#endif

// The only file here that imports HealthKit. On a phone it is Apple's; there the test target
// contains `Tests/TestMarks/Covers.swift` itself.
@_exported public import HealthKit

#if canImport(TestMarks)
    @_exported public import TestMarks
#endif

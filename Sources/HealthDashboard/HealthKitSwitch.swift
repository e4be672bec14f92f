// Imports Apple's HealthKit on iOS, watchOS and visionOS, else OpenHealthKit: on macOS, Apple's
// HealthKit has no health store. No other file of this module imports either.
#if os(iOS) || os(watchOS) || os(visionOS)
    @_exported public import HealthKit
#else
    @_exported public import OpenHealthKit
#endif

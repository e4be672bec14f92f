// Imports Apple's HealthKit on iOS, watchOS and visionOS, where it has a health store. Elsewhere,
// OpenHealthKit is imported. No other file of this module imports either.
#if os(iOS) || os(watchOS) || os(visionOS)
    @_exported public import HealthKit
#else
    @_exported public import OpenHealthKit
#endif

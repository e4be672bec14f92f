// Imports Apple's HealthKit where it has a store, else OpenHealthKit. No other file of this module
// imports either.
#if os(iOS) || os(watchOS) || os(visionOS)
    @_exported public import HealthKit
#else
    @_exported public import OpenHealthKit
#endif

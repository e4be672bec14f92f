// The switch: Apple's framework where it has a store, ours elsewhere. No other file names either.
#if os(iOS) || os(watchOS) || os(visionOS)
    @_exported public import HealthKit
#else
    @_exported public import OpenHealthKit
#endif

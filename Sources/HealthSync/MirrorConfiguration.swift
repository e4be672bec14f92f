public import Foundation

/// What a mirror keeps beside times, values and sources.
///
/// ```swift
/// var configuration = MirrorConfiguration()
/// configuration.metadataKeys = [HKMetadataKeyWasUserEntered, HKMetadataKeyTimeZone]
/// configuration.units[.bodyMass] = .pound()
/// ```
public struct MirrorConfiguration: Sendable {
    /// The metadata that entries keep; sync identifier and version are kept always.
    public var metadataKeys: Set<String>
    /// The units that values are kept in, where they aren't the usual ones: kilograms for a body
    /// mass, grams for what is eaten, `count/min` for a heart rate.
    ///
    /// A unit that doesn't suit its type is not used. Values kept in another unit stay as they are
    /// until ``Mirror/verify(_:over:against:)`` finds them and a repair takes them again.
    public var units: [HKQuantityTypeIdentifier: HKUnit]
    /// How often a view's observation asks whether another process has written.
    public var observationInterval: Duration
    /// The clock that attachments are dated by.
    public var now: @Sendable () -> Date

    /// Nothing but what is kept always, in the usual units.
    public init(
        metadataKeys: Set<String> = [], units: [HKQuantityTypeIdentifier: HKUnit] = [:],
        observationInterval: Duration = .milliseconds(200),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.metadataKeys = metadataKeys
        self.units = units
        self.observationInterval = observationInterval
        self.now = now
    }
}

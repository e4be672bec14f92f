public import Foundation

/// An electrocardiogram. The family is left for later: a sample is kept with its time and source,
/// its findings aren't, and no query reads its voltages.
// Immutable.
open class HKElectrocardiogram: HKSample, @unchecked Sendable {
    /// How many voltages were measured: none are kept.
    open var numberOfVoltageMeasurements: Int { 0 }
    /// How often a voltage was measured; nil, as it isn't kept.
    open var samplingFrequency: HKQuantity? { nil }
    /// What it shows; not set, as it isn't kept.
    open var classification: Classification { .notSet }
    /// The heart rate meanwhile; nil, as it isn't kept.
    open var averageHeartRate: HKQuantity? { nil }
    /// Whether there were symptoms; not set, as it isn't kept.
    open var symptomsStatus: SymptomsStatus { .notSet }

    /// The voltages at one moment.
    // Immutable.
    open class VoltageMeasurement: NSObject, @unchecked Sendable {
        /// Seconds since the sample's start.
        open var timeSinceSampleStart: TimeInterval { 0 }
        /// The voltage of a lead; nil, as none is kept.
        open func quantity(for lead: HKElectrocardiogram.Lead) -> HKQuantity? { nil }
    }
}

public import Foundation
import HealthEngine

/// An electrocardiogram. ``HKElectrocardiogramQuery`` returns its voltages.
///
/// Apps cannot create or save electrocardiograms. They come from the files of an imported export,
/// or from devices (Semantics §10.5c).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKElectrocardiogram: HKSample, @unchecked Sendable {
    /// The recorded numbers by name (`ElectrocardiogramRecording.Key`).
    let numbers: [String: [Double]]

    /// Creates an electrocardiogram from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - numbers: The recorded numbers by name.
    public init(_record: SampleRecord, numbers: [String: [Double]]) {
        self.numbers = numbers
        super.init(_record: _record)
    }

    /// Decodes an electrocardiogram; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        numbers = coder.property([String: [Double]].self, "numbers") ?? [:]
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: numbers, for: "numbers")
    }

    override var detail: SampleDetail? { numbers.isEmpty ? nil : .numbers(numbers) }

    override var electrocardiogram: ElectrocardiogramFacts? { ElectrocardiogramFacts(numbers) }

    /// The number of voltage measurements, including those that can't be read.
    open var numberOfVoltageMeasurements: Int {
        let recorded = numbers[ElectrocardiogramRecording.Key.count]?.first.flatMap {
            Int(exactly: $0)
        }
        return recorded
            ?? ElectrocardiogramRecording(numbers: numbers, start: start)?.microvolts.count ?? 0
    }

    /// The sampling frequency in hertz; nil if it is not recorded.
    open var samplingFrequency: HKQuantity? {
        let recorded = numbers[ElectrocardiogramRecording.Key.samplingFrequency]?.first
        let rate = recorded ?? ElectrocardiogramRecording(numbers: numbers, start: start)?.rate
        return rate.map { HKQuantity(unit: .hertz(), doubleValue: $0) }
    }

    /// The classification: `notSet` without one, and `unrecognized` for words of an export that are
    /// not known.
    open var classification: Classification {
        Classification(rawValue: electrocardiogram?.classification ?? 0) ?? .unrecognized
    }

    /// The average heart rate during the recording, in counts per minute; nil if it is not
    /// recorded, as in most files of exports.
    open var averageHeartRate: HKQuantity? {
        electrocardiogram?.averageHeartRate.map {
            HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: $0)
        }
    }

    /// Whether there were symptoms; `notSet` if it is not recorded.
    open var symptomsStatus: SymptomsStatus {
        SymptomsStatus(rawValue: electrocardiogram?.symptomsStatus ?? 0) ?? .notSet
    }

    /// The voltages at one point in time.
    // `@unchecked Sendable`: all stored properties are immutable.
    open class VoltageMeasurement: NSObject, @unchecked Sendable {
        private let time: TimeInterval
        private let microvolts: Double

        /// Creates a measurement. Not part of Apple's API.
        ///
        /// - Parameters:
        ///   - time: Seconds since the start of the sample.
        ///   - microvolts: The voltage of lead I; NaN if it can't be read.
        init(_time time: TimeInterval, microvolts: Double) {
            self.time = time
            self.microvolts = microvolts
        }

        /// The seconds since the start of the sample.
        open var timeSinceSampleStart: TimeInterval { time }

        /// Returns the voltage of a lead, in microvolts.
        ///
        /// - Parameter lead: The lead.
        /// - Returns: The voltage; nil if it can't be read.
        open func quantity(for lead: HKElectrocardiogram.Lead) -> HKQuantity? {
            guard lead == .appleWatchSimilarToLeadI, microvolts.isFinite else { return nil }
            return HKQuantity(unit: .voltUnit(with: .micro), doubleValue: microvolts)
        }
    }
}

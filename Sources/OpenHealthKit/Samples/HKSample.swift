public import Foundation
import HealthEngine

/// An object with a type, a start and an end.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKSample: HKObject, @unchecked Sendable {
    private let type: HKSampleType
    /// The start, in seconds since 2001-01-01T00:00:00Z.
    let start: Double
    /// The end, in seconds since 2001-01-01T00:00:00Z.
    let end: Double

    /// Creates a sample from its record. Not part of Apple's API.
    ///
    /// - Parameter _record: The properties that all samples have.
    public init(_record: SampleRecord) {
        type = _record.sampleType
        start = _record.start
        end = _record.end
        super.init(
            _uuid: _record.uuid, origin: _record.origin, device: _record.device,
            metadata: _record.metadata)
    }

    /// Decodes a sample; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.string("type") else { return nil }
        type = HKSampleType.of(identifier: identifier)
        start = coder.decodeDouble(forKey: "start")
        end = coder.decodeDouble(forKey: "end")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(type.identifier, for: "type")
        coder.encode(start, forKey: "start")
        coder.encode(end, forKey: "end")
    }

    /// The type of the sample.
    open var sampleType: HKSampleType { type }

    /// The start.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: start) }

    /// The end; equal to `startDate` for an instant, and `Date.distantFuture` if unknown.
    open var endDate: Date { Date(timeIntervalSinceReferenceDate: end) }

    /// Whether the end is unknown, that is, `Date.distantFuture` (Semantics §9.5).
    open var hasUndeterminedDuration: Bool { end == Sample.undeterminedEnd }

    /// The number that the store keeps for the sample; NaN for a sample without a number.
    var storedValue: Double { .nan }

    /// The unit of ``storedValue``; nil except for quantity samples.
    var storedUnit: HKUnit? { nil }

    /// The content that the store keeps in addition to the number, such as a series or a workout;
    /// nil for most samples.
    var detail: SampleDetail? { nil }

    /// The values that predicates compare for a workout; nil for other samples.
    var workoutContent: Workout? { nil }

    /// The values that predicates compare for a state of mind; nil for other samples.
    var stateOfMind: StateOfMindFacts? { nil }

    /// The values that predicates compare for an electrocardiogram; nil for other samples.
    var electrocardiogram: ElectrocardiogramFacts? { nil }

    /// The values that predicates compare for a medication dose; nil for other samples.
    var medicationDose: MedicationDose? { nil }

    /// The value part of ``description``.
    var valueDescription: String { type.identifier }

    /// The value and the dates, such as "72 count/min 2026-03-01 10:00:00 +0000 - 2026-03-01
    /// 10:00:00 +0000".
    open override var description: String { "\(valueDescription) \(startDate) - \(endDate)" }
}

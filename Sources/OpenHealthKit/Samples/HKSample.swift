public import Foundation
import HealthEngine

/// Something recorded over a stretch of time, or at a moment.
// Immutable.
open class HKSample: HKObject, @unchecked Sendable {
    private let type: HKSampleType
    /// Reference seconds.
    let start: Double
    /// Reference seconds.
    let end: Double

    /// A sample by what it shares with all others; not Apple's.
    public init(_record: SampleRecord) {
        type = _record.sampleType
        start = _record.start
        end = _record.end
        super.init(
            _uuid: _record.uuid, origin: _record.origin, device: _record.device,
            metadata: _record.metadata)
    }

    /// Reads an archived sample; nil without its type.
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

    /// What it records.
    open var sampleType: HKSampleType { type }

    /// When it begins.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: start) }

    /// When it ends; `startDate` for a moment, `Date.distantFuture` while nobody knows.
    open var endDate: Date { Date(timeIntervalSinceReferenceDate: end) }

    /// Whether its end isn't known: it is `Date.distantFuture` (Semantics §9.5).
    open var hasUndeterminedDuration: Bool { end == Sample.undeterminedEnd }

    /// The number a store keeps; NaN for a sample that has none.
    var storedValue: Double { .nan }

    /// The unit of ``storedValue``; nil for all but quantities.
    var storedUnit: HKUnit? { nil }

    /// What a store keeps of it beside a number; nil for most.
    var detail: SampleDetail? { nil }

    /// What predicates ask of a workout; nil for all other samples.
    var workoutContent: Workout? { nil }

    /// What predicates ask of a state of mind; nil for all other samples.
    var stateOfMind: StateOfMindFacts? { nil }

    /// The part of ``description`` that says what was recorded.
    var valueDescription: String { type.identifier }

    /// "72 count/min 2026-03-01 10:00:00 +0000 - 2026-03-01 10:00:00 +0000".
    open override var description: String { "\(valueDescription) \(startDate) - \(endDate)" }
}

public import Foundation
public import HealthEngine

/// Something that happened during a workout: a pause, a lap, a segment.
///
/// Events are equal when all their parts are.
// Immutable.
open class HKWorkoutEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// As stores keep it; not Apple's.
    let value: WorkoutEvent
    private let eventMetadata: SampleMetadata?

    /// An event of the engine's; not Apple's.
    public init(_event: WorkoutEvent) {
        value = _event
        eventMetadata = _event.metadata.isEmpty ? nil : SampleMetadata(_event.metadata)
    }

    /// An event over a stretch of time, or at a moment if its interval has no length.
    public convenience init(
        type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?
    ) {
        self.init(
            _event: WorkoutEvent(
                type: type.rawValue,
                start: dateInterval.start.timeIntervalSinceReferenceDate,
                duration: dateInterval.duration,
                metadata: metadata.map { SampleMetadata(given: $0).stored } ?? [:]))
    }

    /// An event at a moment.
    public convenience init(type: HKWorkoutEventType, date: Date) {
        self.init(
            type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
    }

    /// An event at a moment with metadata.
    public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
        self.init(
            type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived event; nil if it is damaged.
    public required init?(coder: NSCoder) {
        guard let event = coder.property(WorkoutEvent.self, "event") else { return nil }
        value = event
        eventMetadata = event.metadata.isEmpty ? nil : SampleMetadata(event.metadata)
    }

    open func encode(with coder: NSCoder) { coder.encode(property: value, for: "event") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// What happened; `.marker` for a kind that only a newer HealthKit knows.
    open var type: HKWorkoutEventType { HKWorkoutEventType(rawValue: value.type) ?? .marker }

    /// When it began.
    open var date: Date { dateInterval.start }

    /// From when to when; without length for a moment.
    open var dateInterval: DateInterval {
        DateInterval(
            start: Date(timeIntervalSinceReferenceDate: value.start),
            duration: max(0, value.duration))
    }

    /// Facts beside it; nil where there are none.
    open var metadata: [String: Any]? { eventMetadata?.values }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutEvent)?.value == value
    }

    open override var hash: Int { value.hashValue }

    /// "HKWorkoutEvent(lap, 2026-03-01 10:00:00 +0000, 60 s)".
    open override var description: String {
        "HKWorkoutEvent(\(type), \(date), \(value.duration) s)"
    }
}

extension NSCoder {
    /// Archives a value as a property list.
    func encode(property value: some Encodable, for key: String) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        if let data = try? encoder.encode(value) { encode(data as NSData, forKey: key) }
    }

    /// A value archived as a property list; nil if there is none or it is damaged.
    func property<Value: Decodable>(_ type: Value.Type, _ key: String) -> Value? {
        decodeObject(of: NSData.self, forKey: key).flatMap {
            try? PropertyListDecoder().decode(Value.self, from: $0 as Data)
        }
    }
}

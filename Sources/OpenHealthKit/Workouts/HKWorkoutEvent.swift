public import Foundation
public import HealthEngine

/// An event during a workout, such as a pause, a lap or a segment.
///
/// Events are equal if all their properties are equal.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKWorkoutEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The stored form. Not part of Apple's API.
    let value: WorkoutEvent
    private let eventMetadata: SampleMetadata?

    /// Creates an event from its stored form. Not part of Apple's API.
    ///
    /// - Parameter _event: The stored form.
    public init(_event: WorkoutEvent) {
        value = _event
        eventMetadata = _event.metadata.isEmpty ? nil : SampleMetadata(_event.metadata)
    }

    /// Creates an event over an interval.
    ///
    /// - Parameters:
    ///   - type: The kind of event.
    ///   - dateInterval: The interval; with a duration of 0 for an instant.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?
    ) {
        self.init(
            _event: WorkoutEvent(
                type: type.rawValue,
                start: dateInterval.start.timeIntervalSinceReferenceDate,
                duration: dateInterval.duration,
                metadata: metadata.map { SampleMetadata(values: $0).stored } ?? [:]))
    }

    /// Creates an event at an instant.
    ///
    /// - Parameters:
    ///   - type: The kind of event.
    ///   - date: The instant.
    public convenience init(type: HKWorkoutEventType, date: Date) {
        self.init(
            type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
    }

    /// Creates an event at an instant with metadata.
    ///
    /// - Parameters:
    ///   - type: The kind of event.
    ///   - date: The instant.
    ///   - metadata: Additional facts.
    public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
        self.init(
            type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an event; nil if the archive is damaged.
    public required init?(coder: NSCoder) {
        guard let event = coder.property(WorkoutEvent.self, "event") else { return nil }
        value = event
        eventMetadata = event.metadata.isEmpty ? nil : SampleMetadata(event.metadata)
    }

    open func encode(with coder: NSCoder) { coder.encode(property: value, for: "event") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The kind of event; `.marker` for an unknown stored number.
    open var type: HKWorkoutEventType { HKWorkoutEventType(rawValue: value.type) ?? .marker }

    /// The start of the event.
    open var date: Date { dateInterval.start }

    /// The interval of the event; its duration is 0 for an instant.
    open var dateInterval: DateInterval {
        DateInterval(
            start: Date(timeIntervalSinceReferenceDate: value.start),
            duration: max(0, value.duration))
    }

    /// Additional facts; nil without metadata.
    open var metadata: [String: Any]? { eventMetadata?.values }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutEvent)?.value == value
    }

    open override var hash: Int { value.hashValue }

    /// The kind, start and duration, such as
    /// "HKWorkoutEvent(lap, 2026-03-01 10:00:00 +0000, 60.0 s)".
    open override var description: String {
        "HKWorkoutEvent(\(type), \(date), \(value.duration) s)"
    }
}

extension NSCoder {
    /// Encodes a value as a property list. Has no effect if the value cannot be encoded.
    func encode(property value: some Encodable, for key: String) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        if let data = try? encoder.encode(value) { encode(data as NSData, forKey: key) }
    }

    /// Decodes a value from a property list; nil if it is missing or damaged.
    func property<Value: Decodable>(_ type: Value.Type, _ key: String) -> Value? {
        decodeObject(of: NSData.self, forKey: key).flatMap {
            try? PropertyListDecoder().decode(Value.self, from: $0 as Data)
        }
    }
}

public import Foundation
public import HealthEngine

/// One activity of a workout, such as the swim of a triathlon.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKWorkoutActivity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The stored form. Not part of Apple's API.
    let value: WorkoutActivity
    private let identifier: UUID
    private let activityMetadata: SampleMetadata?

    /// Creates an activity from its stored form. Not part of Apple's API.
    ///
    /// - Parameter _activity: The stored form.
    public init(_activity: WorkoutActivity) {
        value = _activity
        identifier = UUID(uuidString: _activity.uuid) ?? UUID()
        activityMetadata = _activity.metadata.isEmpty ? nil : SampleMetadata(_activity.metadata)
    }

    /// Creates an activity.
    ///
    /// - Parameters:
    ///   - workoutConfiguration: The activity type and its location.
    ///   - startDate: The start.
    ///   - endDate: The end; nil for an activity in progress.
    ///   - metadata: Additional facts, or nil.
    public convenience init(
        workoutConfiguration: HKWorkoutConfiguration, start startDate: Date, end endDate: Date?,
        metadata: [String: Any]?
    ) {
        self.init(
            _activity: WorkoutActivity(
                uuid: UUID().uuidString, configuration: workoutConfiguration.stored,
                start: startDate.timeIntervalSinceReferenceDate,
                end: endDate?.timeIntervalSinceReferenceDate,
                metadata: metadata.map { SampleMetadata(values: $0).stored } ?? [:]))
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an activity; nil if the archive is damaged.
    public required init?(coder: NSCoder) {
        guard let activity = coder.property(WorkoutActivity.self, "activity") else { return nil }
        value = activity
        identifier = UUID(uuidString: activity.uuid) ?? UUID()
        activityMetadata = activity.metadata.isEmpty ? nil : SampleMetadata(activity.metadata)
    }

    open func encode(with coder: NSCoder) { coder.encode(property: value, for: "activity") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The permanent identifier of the activity; random if the stored one is not a UUID.
    open var uuid: UUID { identifier }

    /// The activity type and its location. Each access returns a new object, with the type `.other`
    /// if none is stored.
    open var workoutConfiguration: HKWorkoutConfiguration {
        HKWorkoutConfiguration(
            value.configuration ?? WorkoutActivityConfiguration(activityType: 3000))
    }

    /// The start; 2001-01-01 00:00 UTC if it is not stored.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: value.start ?? 0) }

    /// The end; nil for an activity in progress.
    open var endDate: Date? { value.end.map(Date.init(timeIntervalSinceReferenceDate:)) }

    /// Additional facts; nil without metadata.
    open var metadata: [String: Any]? { activityMetadata?.values }

    /// The duration in seconds: the stored one, otherwise the time from start to end without
    /// pauses. For an activity in progress, the end is the current time of the machine's clock.
    open var duration: TimeInterval {
        if let duration = value.duration { return duration }
        let end = value.end ?? Date().timeIntervalSinceReferenceDate
        return value.events.activeTime(from: value.start ?? end, to: end)
    }

    /// The events during the activity.
    open var workoutEvents: [HKWorkoutEvent] { value.events.map(HKWorkoutEvent.init(_event:)) }

    /// The statistics of the workout's samples within the activity, by type. Values of an import
    /// are returned unchanged.
    open var allStatistics: [HKQuantityType: HKStatistics] {
        value.statistics.objects(from: value.start ?? 0, to: value.end ?? value.start ?? 0)
    }

    /// Returns the statistics of one type.
    ///
    /// - Parameter quantityType: The type.
    /// - Returns: The statistics; nil if the activity has none.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        allStatistics[quantityType]
    }

    /// Activities are equal if their UUIDs are equal.
    ///
    /// - Parameter object: The object to compare with.
    /// - Returns: Whether the object is an activity with the same UUID.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutActivity)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
}

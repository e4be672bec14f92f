public import Foundation
public import HealthEngine

/// One leg of a workout: the swim of a triathlon.
// Immutable.
open class HKWorkoutActivity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// As stores keep it; not Apple's.
    let value: WorkoutActivity
    private let identifier: UUID
    private let activityMetadata: SampleMetadata?

    /// An activity of the engine's; not Apple's.
    public init(_activity: WorkoutActivity) {
        value = _activity
        identifier = UUID(uuidString: _activity.uuid) ?? UUID()
        activityMetadata = _activity.metadata.isEmpty ? nil : SampleMetadata(_activity.metadata)
    }

    /// An activity that begins, and ends where an end is given.
    public convenience init(
        workoutConfiguration: HKWorkoutConfiguration, start startDate: Date, end endDate: Date?,
        metadata: [String: Any]?
    ) {
        self.init(
            _activity: WorkoutActivity(
                uuid: UUID().uuidString, configuration: workoutConfiguration.stored,
                start: startDate.timeIntervalSinceReferenceDate,
                end: endDate?.timeIntervalSinceReferenceDate,
                metadata: metadata.map { SampleMetadata(given: $0).stored } ?? [:]))
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived activity; nil if it is damaged.
    public required init?(coder: NSCoder) {
        guard let activity = coder.property(WorkoutActivity.self, "activity") else { return nil }
        value = activity
        identifier = UUID(uuidString: activity.uuid) ?? UUID()
        activityMetadata = activity.metadata.isEmpty ? nil : SampleMetadata(activity.metadata)
    }

    open func encode(with coder: NSCoder) { coder.encode(property: value, for: "activity") }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Who this activity is, for ever.
    open var uuid: UUID { identifier }

    /// What was done where; a new object at every call.
    open var workoutConfiguration: HKWorkoutConfiguration {
        HKWorkoutConfiguration(
            value.configuration ?? WorkoutActivityConfiguration(activityType: 3000))
    }

    /// When it began.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: value.start ?? 0) }

    /// When it ended; nil while it goes on.
    open var endDate: Date? { value.end.map(Date.init(timeIntervalSinceReferenceDate:)) }

    /// Facts beside it; nil where there are none.
    open var metadata: [String: Any]? { activityMetadata?.values }

    /// Seconds from start to end, pauses left out; up to now while it goes on.
    open var duration: TimeInterval {
        if let duration = value.duration { return duration }
        let end = value.end ?? Date().timeIntervalSinceReferenceDate
        return value.events.activeTime(from: value.start ?? end, to: end)
    }

    /// What happened in it.
    open var workoutEvents: [HKWorkoutEvent] { value.events.map(HKWorkoutEvent.init(_event:)) }

    /// The numbers of the activity by type, each over the samples of the workout within it.
    open var allStatistics: [HKQuantityType: HKStatistics] {
        value.statistics.objects(from: value.start ?? 0, to: value.end ?? value.start ?? 0)
    }

    /// The numbers of one type; nil where the workout has none.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        allStatistics[quantityType]
    }

    /// Activities are equal when their UUIDs are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKWorkoutActivity)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
}

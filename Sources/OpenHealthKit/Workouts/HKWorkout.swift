public import Foundation
public import HealthEngine

/// A workout with its events, activities and totals.
///
/// The samples recorded during a workout are separate objects: find them with
/// `HKQuery.predicateForObjects(from: workout)`. Workouts of different apps are never merged
/// (Semantics §10.4).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKWorkout: HKSample, @unchecked Sendable {
    /// The stored form.
    let content: Workout

    /// Creates a workout from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - content: The stored form.
    public init(_record: SampleRecord, content: Workout) {
        self.content = content
        super.init(_record: _record)
    }

    /// Decodes a workout; nil if its UUID, type or content is missing or damaged.
    public required init?(coder: NSCoder) {
        guard let content = coder.property(Workout.self, "workout") else { return nil }
        self.content = content
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: content, for: "workout")
    }

    /// The activity type; `.other` for an unknown stored number.
    open var workoutActivityType: HKWorkoutActivityType {
        HKWorkoutActivityType(stored: content.activityType)
    }

    /// The events, such as pauses, laps and segments; nil without events.
    open var workoutEvents: [HKWorkoutEvent]? {
        content.events.isEmpty ? nil : content.events.map(HKWorkoutEvent.init(_event:))
    }

    /// The activities of the workout, such as the parts of a triathlon; empty if none are stored.
    ///
    /// An imported activity without an activity type has that of the workout.
    open var workoutActivities: [HKWorkoutActivity] {
        content.activities.map { activity in
            var activity = activity
            activity.configuration =
                activity.configuration
                ?? WorkoutActivityConfiguration(activityType: content.activityType)
            return HKWorkoutActivity(_activity: activity)
        }
    }

    /// The duration in seconds: the value given to an initializer or that of the import. Otherwise
    /// the time from start to end without pauses (Semantics §10.8).
    open var duration: TimeInterval {
        content.duration ?? content.events.activeTime(from: start, to: end)
    }

    /// The total active energy: the sum over the associated samples, the value given to an
    /// initializer, or that of the import. Nil if it is not known.
    open var totalEnergyBurned: HKQuantity? { content.quantity(.energyBurned) }

    /// The sum of the distances of all types, determined like ``totalEnergyBurned``.
    open var totalDistance: HKQuantity? { content.quantity(.distance) }

    /// The number of swimming strokes, determined like ``totalEnergyBurned``.
    open var totalSwimmingStrokeCount: HKQuantity? { content.quantity(.swimmingStrokeCount) }

    /// The number of flights climbed, determined like ``totalEnergyBurned``.
    open var totalFlightsClimbed: HKQuantity? { content.quantity(.flightsClimbed) }

    /// The merged statistics of the associated samples, by type.
    ///
    /// Values of an import, and totals given to an initializer, are returned unchanged (Semantics
    /// §10.8, §10.9).
    open var allStatistics: [HKQuantityType: HKStatistics] {
        content.statistics.objects(from: start, to: end)
    }

    /// Returns the statistics of one type.
    ///
    /// - Parameter quantityType: The type.
    /// - Returns: The statistics; nil if the workout has none.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        content.statistics.first { $0.type == quantityType.identifier }?
            .object(from: start, to: end)
    }

    override var detail: SampleDetail? { .workout(content) }
    override var workoutContent: Workout? { content }

    override var valueDescription: String { "\(workoutActivityType) \(duration) s" }
}

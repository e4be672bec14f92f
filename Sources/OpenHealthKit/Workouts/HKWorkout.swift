public import Foundation
public import HealthEngine

/// A bout of exercise, with its events, activities and totals.
///
/// The samples recorded during it are objects of their own: find them with
/// `HKQuery.predicateForObjects(from: workout)`. Workouts of two apps are two objects, never merged
/// (Semantics §10.4).
// Immutable.
open class HKWorkout: HKSample, @unchecked Sendable {
    /// As stores keep it.
    let content: Workout

    /// A workout by its parts; not Apple's.
    public init(_record: SampleRecord, content: Workout) {
        self.content = content
        super.init(_record: _record)
    }

    /// Reads an archived workout; nil if it is damaged.
    public required init?(coder: NSCoder) {
        guard let content = coder.property(Workout.self, "workout") else { return nil }
        self.content = content
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(property: content, for: "workout")
    }

    /// What was done; `.other` for an activity that only a newer HealthKit knows.
    open var workoutActivityType: HKWorkoutActivityType {
        HKWorkoutActivityType(stored: content.activityType)
    }

    /// Pauses, laps, segments and markers; nil where there are none.
    open var workoutEvents: [HKWorkoutEvent]? {
        content.events.isEmpty ? nil : content.events.map(HKWorkoutEvent.init(_event:))
    }

    /// The legs of a workout of several sports.
    ///
    /// Where an import doesn't say what a leg was, it is the workout's own activity.
    open var workoutActivities: [HKWorkoutActivity] {
        content.activities.map { activity in
            var activity = activity
            activity.configuration =
                activity.configuration
                ?? WorkoutActivityConfiguration(activityType: content.activityType)
            return HKWorkoutActivity(_activity: activity)
        }
    }

    /// Seconds from start to end, pauses left out (Semantics §10.8).
    open var duration: TimeInterval {
        content.duration ?? content.events.activeTime(from: start, to: end)
    }

    /// Active energy: the sum over the associated samples, or what an old initializer was given.
    open var totalEnergyBurned: HKQuantity? { content.quantity(.energyBurned) }

    /// Distance of all kinds, likewise.
    open var totalDistance: HKQuantity? { content.quantity(.distance) }

    /// Strokes, likewise.
    open var totalSwimmingStrokeCount: HKQuantity? { content.quantity(.swimmingStrokeCount) }

    /// Flights of stairs, likewise.
    open var totalFlightsClimbed: HKQuantity? { content.quantity(.flightsClimbed) }

    /// The workout's numbers by type, each over the associated samples, merged like any statistics.
    ///
    /// What an import brought or an old initializer was given stands as it came
    /// (Semantics §10.8, §10.9).
    open var allStatistics: [HKQuantityType: HKStatistics] {
        content.statistics.objects(from: start, to: end)
    }

    /// The numbers of one type; nil where the workout has none.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        content.statistics.first { $0.type == quantityType.identifier }?
            .object(from: start, to: end)
    }

    override var detail: SampleDetail? { .workout(content) }
    override var workoutContent: Workout? { content }

    override var valueDescription: String { "\(workoutActivityType) \(duration) s" }
}

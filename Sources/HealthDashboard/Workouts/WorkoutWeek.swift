public import Foundation

/// The workouts that start in a calendar week.
public struct WorkoutWeek: Hashable, Sendable, Codable {
    /// The start of the week.
    public var start: Date
    /// The end of the week, exclusive.
    public var end: Date
    /// The number of workouts.
    public var count: Int
    /// The duration of all workouts without pauses, in seconds.
    public var seconds: Double
    /// The distance of all workouts in metres; nil if none has a distance.
    public var distance: Double?

    public init(
        start: Date, end: Date, count: Int = 0, seconds: Double = 0, distance: Double? = nil
    ) {
        self.start = start
        self.end = end
        self.count = count
        self.seconds = seconds
        self.distance = distance
    }
}

extension WorkoutWeek {
    /// Adds a workout.
    mutating func add(_ workout: WorkoutSummary) {
        count += 1
        if workout.duration.isFinite, workout.duration > 0 { seconds += workout.duration }
        if let metres = workout.distance, metres.isFinite, metres >= 0 {
            distance = (distance ?? 0) + metres
        }
    }

    /// Adds the workouts of the same week.
    mutating func add(_ other: WorkoutWeek) {
        count += other.count
        seconds += other.seconds
        if let metres = other.distance { distance = (distance ?? 0) + metres }
    }
}

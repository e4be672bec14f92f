public import Foundation

/// The best value of an activity, with the workout in which it was reached.
public struct WorkoutRecord: Hashable, Sendable, Codable {
    /// What is compared.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The longest distance, in metres.
        case distance
        /// The longest duration without pauses, in seconds.
        case duration
        /// The highest average speed of a workout of at least a kilometre, in metres per second.
        case speed
        /// The most active energy, in kilocalories.
        case energy
    }

    /// The activity's display name, as in ``WorkoutSummary/activity``.
    public var activity: String
    /// What is compared.
    public var kind: Kind
    /// The value, in the unit of the kind.
    public var value: Double
    /// The workout's UUID.
    public var workout: UUID
    /// When the workout started.
    public var date: Date

    public init(activity: String, kind: Kind, value: Double, workout: UUID, date: Date) {
        self.activity = activity
        self.kind = kind
        self.value = value
        self.workout = workout
        self.date = date
    }
}

extension WorkoutRecord {
    /// The shortest distance of a record of speed, in metres.
    static let shortestFastest = 1000.0

    /// Creates the record that a workout would be alone; nil if the value is not known.
    init?(_ kind: Kind, of workout: WorkoutSummary) {
        let value: Double?
        switch kind {
        case .distance: value = workout.distance
        case .duration: value = workout.duration
        case .energy: value = workout.energy
        case .speed:
            value = workout.distance.flatMap { metres in
                metres >= Self.shortestFastest && workout.duration > 0
                    ? metres / workout.duration : nil
            }
        }
        guard let value, value.isFinite, value > 0 else { return nil }
        self.init(
            activity: workout.activity, kind: kind, value: value, workout: workout.id,
            date: workout.start)
    }

    /// Returns whether this record replaces another one. Of equal values the first workout holds
    /// the record, and of simultaneous ones that with the lower UUID.
    func replaces(_ other: WorkoutRecord) -> Bool {
        if value != other.value { return value > other.value }
        if date != other.date { return date < other.date }
        return workout.uuidString < other.workout.uuidString
    }
}

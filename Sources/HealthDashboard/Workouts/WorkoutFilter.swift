import Foundation
import HealthCalendar
public import HealthEngine

/// Which workouts a list contains: those of an activity, of some days, or both.
public struct WorkoutFilter: Hashable, Sendable, Codable {
    /// The activity's display name, as in ``WorkoutSummary/activity``; nil for all activities.
    public var activity: String?
    /// The first day; nil for no first day.
    public var from: CivilDate?
    /// The last day, included; nil for no last day.
    public var to: CivilDate?

    public init(activity: String? = nil, from: CivilDate? = nil, to: CivilDate? = nil) {
        self.activity = activity
        self.from = from
        self.to = to
    }
}

extension WorkoutFilter {
    /// The display names of all activities.
    package static let activities = Set(
        Catalogue.values(of: Catalogue.workoutActivityType).map { TypeText.split($0.name) }
            + ["workout"])

    /// Whether the filter permits all workouts.
    package var isEmpty: Bool { self == WorkoutFilter() }

    /// Whether the filter has a first or a last day.
    package var hasDays: Bool { from != nil || to != nil }

    /// Returns the interval in which the workouts start.
    ///
    /// - Parameter calendar: The calendar of the days.
    /// - Returns: The half-open interval; empty if the last day is before the first.
    package func interval(_ calendar: Calendar) -> DateInterval {
        let start = from.map { calendar.midnight($0) } ?? .distantPast
        let end = to.map { calendar.midnight($0.advanced(by: 1)) } ?? .distantFuture
        return DateInterval(start: start, end: max(start, end))
    }

    /// Returns whether a workout has the activity. Its days are not compared.
    func hasActivity(of workout: WorkoutSummary) -> Bool {
        activity.map { $0 == workout.activity } ?? true
    }

    /// The days as the end of a sentence: ", 1–31 Mar 2024", " since 1 March 2024"; empty without
    /// days.
    var days: String {
        switch (from, to) {
        case (nil, nil): ""
        case (let from?, nil): " since \(DateText.long(from.description))"
        case (nil, let to?): " until \(DateText.long(to.description))"
        case (_?, _?): ", \(span)"
        }
    }

    /// The days from the first to the last: "1–31 Mar 2024", "Sat 9 Mar 2024"; empty unless both
    /// are set.
    var span: String {
        guard let from, let to else { return "" }
        return from == to ? DateText.short(from) : DateText.span(from, to)
    }
}

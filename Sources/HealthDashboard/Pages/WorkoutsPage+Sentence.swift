import Foundation
import HealthCalendar
import HealthEngine

extension WorkoutsPage {
    /// Returns the sentence for a workout: "Running, 5.21 km in 0:31, Sunday 10 March".
    static func sentence(_ workout: WorkoutSummary, _ context: PageContext) -> String {
        let name = workout.activity.prefix(1).uppercased() + workout.activity.dropFirst()
        let duration = NumberText.hours(workout.duration)
        let amount =
            workout.distance.map { "\(WorkoutText.distance($0)) in \(duration)" }
            ?? "\(duration) h"
        return "\(name), \(amount), \(day(workout.start, context))"
    }

    /// Returns the sentence for the list: "312 workouts, the last on Saturday 9 March",
    /// "12 running workouts, 1–31 Mar 2024", "312 workouts, shown: 2 Jan – 1 Feb 2024".
    func listSentence(_ context: PageContext) -> String {
        let activity = filter.activity.map { $0 + " " } ?? ""
        let count = matching ?? (older == nil && before == nil ? workouts.count : nil)
        let words =
            count.map { counted($0, "\(activity)workout", "\(activity)workouts") }
            ?? "More than \(workouts.count) \(activity)workouts"
        guard let newest = workouts.first, let oldest = workouts.last else {
            return before == nil || count == 0
                ? "No \(activity)workouts\(filter.days)" : "\(words), none earlier"
        }
        if before != nil {
            let days = [oldest, newest].map { context.calendar.civilDate(of: $0.start) }
            return "\(words), shown: \(WorkoutFilter(from: days[0], to: days[1]).span)"
        }
        return filter.hasDays
            ? words + filter.days : "\(words), the last on \(Self.day(newest.start, context))"
    }

    private static func day(_ date: Date, _ context: PageContext) -> String {
        DateText.full(context.calendar.civilDate(of: date), besides: context.today)
    }
}

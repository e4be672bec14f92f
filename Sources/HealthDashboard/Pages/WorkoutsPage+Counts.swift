import Foundation
import HealthCalendar
import HealthEngine

extension WorkoutsPage {
    /// The numbers of workouts in the store, which a ``HealthService`` cannot report.
    public struct Counts: Hashable, Sendable {
        /// The number of all workouts.
        public var total: Int
        /// The number of workouts in the requested range.
        public var inRange: Int

        public init(total: Int, inRange: Int) {
            self.total = total
            self.inRange = inRange
        }
    }

    /// Returns the end of the range for the next page, which lists older workouts. Nil if all
    /// workouts of the range are listed, if none is listed, or if the counts are not known.
    ///
    /// The next page repeats the oldest listed workout and those that start less than a millisecond
    /// after it. So none is missed: a `DateInterval` is not more precise in the distant past. If
    /// all listed workouts start within a millisecond, the next page ends a millisecond before the
    /// oldest one, so that it differs from this page.
    static func older(_ workouts: [WorkoutSummary], of counts: Counts?) -> Date? {
        guard let counts, workouts.count < counts.inRange, let first = workouts.first?.start,
            let last = workouts.last?.start
        else { return nil }
        let step = 0.001
        return first.timeIntervalSince(last) > step ? last + step : last - step
    }

    /// Returns the sentence for a partial list, as in "312 workouts, the last on 9 March 2024
    /// (running). Shown: the newest 100, 85:10 hours in total."; nil if all workouts are listed.
    static func sentence(
        _ workouts: [WorkoutSummary], of counts: Counts, before: Date?, _ context: PageContext
    ) -> String? {
        guard workouts.count < counts.total else { return nil }
        func day(_ date: Date) -> String {
            DateText.long(context.calendar.civilDate(of: date).description)
        }
        let total = counted(counts.total, "workout", "workouts")
        guard let newest = workouts.first, let oldest = workouts.last else {
            return "\(total), none in this range."
        }
        let time = NumberText.hours(workouts.reduce(0) { $0 + $1.duration })
        if before != nil {
            return "\(total). Shown: \(workouts.count) older ones, \(time) hours in total, from "
                + "\(day(oldest.start)) to \(day(newest.start))."
        }
        return
            "\(total), the last on \(day(newest.start)) (\(newest.activity)). Shown: the newest "
            + "\(workouts.count), \(time) hours in total."
    }
}

import Foundation
import HealthEngine

extension WorkoutsPage {
    /// How many workouts there are, where a service can't tell.
    public struct Counts: Hashable, Sendable {
        /// All of them.
        public var total: Int
        /// Those of the range that is asked for.
        public var inRange: Int

        public init(total: Int, inRange: Int) {
            self.total = total
            self.inRange = inRange
        }
    }

    /// Where the next page of older ones begins; nil if all of the range are listed.
    ///
    /// Workouts that began within a millisecond of the last one listed come again, so that none is
    /// lost; a `DateInterval` is no finer where it begins in the distant past.
    static func older(_ workouts: [WorkoutSummary], of counts: Counts?) -> Date? {
        guard let counts, workouts.count < counts.inRange, let first = workouts.first?.start,
            let last = workouts.last?.start
        else { return nil }
        let step = 0.001
        return first.timeIntervalSince(last) > step ? last + step : last - step
    }

    /// "312 workouts, the last on 9 March 2024, running; the newest 100 are listed".
    static func sentence(
        _ workouts: [WorkoutSummary], of counts: Counts, before: Date?, _ setting: PageSetting
    ) -> String? {
        guard workouts.count < counts.total else { return nil }
        func day(_ date: Date) -> String {
            DayWords.long(setting.calendar.civilDate(of: date).description)
        }
        let total = counted(counts.total, "workout", "workouts")
        guard let newest = workouts.first, let oldest = workouts.last else {
            return "\(total), none of them that old."
        }
        let time = NumberText.hours(workouts.reduce(0) { $0 + $1.duration })
        if before != nil {
            return "\(total); listed here are \(workouts.count) older ones of \(time) hours, from "
                + "\(day(oldest.start)) to \(day(newest.start))."
        }
        return
            "\(total), the last on \(day(newest.start)), \(newest.activity); listed here are the "
            + "newest \(workouts.count), of \(time) hours."
    }
}

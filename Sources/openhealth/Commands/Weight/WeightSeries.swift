import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthSync

/// Daily averages of weights, with their trend and its rate.
struct WeightSeries: Sendable {
    /// A day with a weight.
    struct Day: Hashable, Sendable {
        /// Days since 1 January 2001.
        var number: Int
        /// The day, as in "2024-03-10".
        var name: String
        /// The average of the day's weights in kilograms.
        var average: Double
        /// The trend after that day in kilograms.
        var trend: Double
        /// Whether all weights of the day are from the diary.
        var isOwn: Bool
    }

    static let share = TrendLine.share
    static let rateDays = TrendLine.rateDays

    /// The days, oldest first.
    let days: [Day]
    private let line: TrendLine

    /// Computes the days of weights in a calendar. Weights that the store doesn't show and values
    /// that aren't a mass are ignored.
    init(_ entries: [MirrorEntry], _ calendar: CalendarBuckets) {
        var sums: [String: (sum: Double, count: Int, isOwn: Bool)] = [:]
        for entry in entries where entry.state == .synced && entry.kilograms.isFinite {
            let day = calendar.day(entry.start.timeIntervalSinceReferenceDate)
            let old = sums[day] ?? (0, 0, true)
            sums[day] = (old.sum + entry.kilograms, old.count + 1, old.isOwn && entry.isOwn)
        }
        let named = sums.compactMap { name, sum in
            Self.number(name).map { (number: $0, name: name, sum: sum) }
        }
        line = TrendLine(
            Dictionary(named.map { ($0.number, $0.sum.sum / Double($0.sum.count)) }) { first, _ in
                first
            })
        let byNumber = Dictionary(named.map { ($0.number, $0) }) { first, _ in first }
        days = line.days.compactMap { day in
            byNumber[day.number].map { known in
                Day(
                    number: day.number, name: known.name, average: day.average, trend: day.trend,
                    isOwn: known.sum.isOwn)
            }
        }
    }

    /// Returns the change in kilograms per week up to a day, and the number of days with a weight
    /// from which it was computed; see ``TrendLine/rate(to:)``.
    func rate(to last: Int) -> (kilogramsPerWeek: Double, days: Int)? {
        line.rate(to: last).map { ($0.perWeek, $0.days) }
    }

    /// Converts "2024-03-10" to days since 1 January 2001; nil for an invalid date.
    static func number(_ day: String) -> Int? {
        CivilDate(day)?.dayNumber
    }
}

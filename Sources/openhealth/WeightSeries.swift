import Foundation
import HealthStorage
import HealthSync

/// Daily averages of weights, their trend and its rate.
struct WeightSeries: Sendable {
    /// A day that has a weight.
    struct Day: Hashable, Sendable {
        /// Days since 1 January 2001.
        var number: Int
        /// "2024-03-10"
        var name: String
        /// The average of the day's weights, in kilograms.
        var average: Double
        /// The trend after that day, in kilograms.
        var trend: Double
        /// The day's weights are all of the diary.
        var isOwn: Bool
    }

    /// How much of the way to a new average the trend goes in a day.
    static let share = 0.1
    /// Over how many days the rate is taken.
    static let rateDays = 28

    /// Oldest first.
    let days: [Day]

    /// The days of weights in a calendar; those that the store doesn't show don't count.
    init(_ entries: [Entry], _ calendar: CalendarBuckets) {
        var sums: [String: (sum: Double, count: Int, isOwn: Bool)] = [:]
        for entry in entries where entry.state == .synced && entry.kilograms.isFinite {
            let day = calendar.day(entry.start.timeIntervalSinceReferenceDate)
            let old = sums[day] ?? (0, 0, true)
            sums[day] = (old.sum + entry.kilograms, old.count + 1, old.isOwn && entry.isOwn)
        }
        var days: [Day] = []
        for (name, sum) in sums.sorted(by: { $0.key < $1.key }) {
            guard let number = Self.number(name) else { continue }
            let average = sum.sum / Double(sum.count)
            days.append(
                Day(
                    number: number, name: name, average: average,
                    trend: Self.trend(average, on: number, after: days.last), isOwn: sum.isOwn))
        }
        self.days = days
    }

    /// Each day moves the trend a tenth of the way to its average; after a gap of n days it moves
    /// 1 − 0.9ⁿ of it, as if the average had stood on each of them.
    private static func trend(_ average: Double, on number: Int, after last: Day?) -> Double {
        guard let last else { return average }
        let rest = (0..<min(max(1, number - last.number), 1000)).reduce(1.0) { rest, _ in
            rest * (1 - share)
        }
        return last.trend + (1 - rest) * (average - last.trend)
    }

    /// How much weight a week brings: the slope of the straight line through the daily averages of the
    /// 28 days up to a day, by least squares.
    ///
    /// Nil with fewer than three days, or less than a week between the first and the last.
    func rate(to last: Int) -> (kilogramsPerWeek: Double, days: Int)? {
        let days = days.filter { (last - Self.rateDays + 1...last).contains($0.number) }
        guard days.count >= 3, let first = days.first, let end = days.last,
            end.number - first.number >= 6
        else { return nil }
        let count = Double(days.count)
        let meanDay = days.reduce(0) { $0 + Double($1.number - first.number) } / count
        let meanWeight = days.reduce(0) { $0 + $1.average } / count
        var (products, squares) = (0.0, 0.0)
        for day in days {
            let distance = Double(day.number - first.number) - meanDay
            products += distance * (day.average - meanWeight)
            squares += distance * distance
        }
        return (products / squares * 7, days.count)
    }

    /// Days since 2001 of "2024-03-10".
    static func number(_ day: String) -> Int? {
        guard let time = try? CalendarBuckets(timeZone: .gmt).time(day) else { return nil }
        return Int((time / 86_400).rounded(.down))
    }

    /// "2024-03-10" of days since 2001.
    static func name(_ number: Int) -> String {
        CalendarBuckets(timeZone: .gmt).day(Double(number) * 86_400)
    }
}

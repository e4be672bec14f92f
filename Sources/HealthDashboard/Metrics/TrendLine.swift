import HealthEngine

/// An exponentially smoothed trend of daily averages, with a weekly rate by linear regression.
package struct TrendLine: Hashable, Sendable {
    /// A day with a value.
    package struct Day: Hashable, Sendable {
        /// The day, in days since 2001-01-01.
        package var number: Int
        /// The average of the day's values.
        package var average: Double
        /// The trend after the day.
        package var trend: Double
    }

    /// The smoothing factor for one day.
    package static let share = 0.1
    /// The length of the regression window, in days.
    package static let rateDays = 28
    /// A chart's line is interrupted where two points are at least this many seconds apart.
    package static let shortestGap = 15 * 86_400.0

    /// The days with a value, the oldest first.
    package let days: [Day]

    /// Creates the trend of daily averages.
    ///
    /// - Parameter averages: The averages by day since 2001-01-01; non-finite ones are skipped.
    package init(_ averages: [Int: Double]) {
        var days: [Day] = []
        for (number, average) in averages.sorted(by: { $0.key < $1.key }) where average.isFinite {
            let trend = Self.trend(average, on: number, after: days.last)
            days.append(Day(number: number, average: average, trend: trend))
        }
        self.days = days
    }

    /// Returns the trend after a day.
    ///
    /// The first day's trend is its average. From one day to the next, the trend moves by a tenth
    /// of the difference to the average. If the last day with a value is n days earlier, it moves
    /// by 1 − 0.9ⁿ of the difference. This is as if each of the n days had the same average.
    private static func trend(_ average: Double, on number: Int, after last: Day?) -> Double {
        guard let last else { return average }
        let decay = (0..<min(max(1, number - last.number), 1000)).reduce(1.0) { decay, _ in
            decay * (1 - share)
        }
        return last.trend + (1 - decay) * (average - last.trend)
    }

    /// Returns the rate per week: the slope of a least-squares line through the averages of the 28
    /// days up to a day.
    ///
    /// - Parameter last: The last day of the window, inclusive, in days since 2001-01-01.
    /// - Returns: The rate, in the averages' unit per week, and the number of days with a value.
    ///   Nil with fewer than three such days, or fewer than six days between the first and the
    ///   last.
    package func rate(to last: Int) -> (perWeek: Double, days: Int)? {
        let days = days.filter { (last - Self.rateDays + 1...last).contains($0.number) }
        guard days.count >= 3, let first = days.first, let end = days.last,
            end.number - first.number >= 6
        else { return nil }
        let count = Double(days.count)
        let meanDay = days.reduce(0) { $0 + Double($1.number - first.number) } / count
        let mean = days.reduce(0) { $0 + $1.average } / count
        var (products, squares) = (0.0, 0.0)
        for day in days {
            let distance = Double(day.number - first.number) - meanDay
            products += distance * (day.average - mean)
            squares += distance * distance
        }
        return (products / squares * 7, days.count)
    }
}

import HealthEngine

/// The trend of daily averages: exponentially smoothed, a tenth of the way a day; and its rate, the
/// slope of a straight line through 28 days by least squares.
package struct TrendLine: Hashable, Sendable {
    /// A day that has a value.
    package struct Day: Hashable, Sendable {
        /// Days since 1 January 2001.
        package var number: Int
        /// The average of the day's values.
        package var average: Double
        /// The trend after that day.
        package var trend: Double
    }

    /// How much of the way to a new average the trend goes in a day.
    package static let share = 0.1
    /// Over how many days the rate is taken.
    package static let rateDays = 28

    /// Oldest first.
    package let days: [Day]

    /// - Parameter averages: By days since 1 January 2001; those that aren't finite don't count.
    package init(_ averages: [Int: Double]) {
        var days: [Day] = []
        for (number, average) in averages.sorted(by: { $0.key < $1.key }) where average.isFinite {
            let trend = Self.trend(average, on: number, after: days.last)
            days.append(Day(number: number, average: average, trend: trend))
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

    /// How much a week brings: the slope of the straight line through the daily averages of the 28
    /// days up to a day, by least squares.
    ///
    /// Nil with fewer than three days, or less than a week between the first and the last.
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

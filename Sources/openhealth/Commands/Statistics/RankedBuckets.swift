import HealthCalendar
import HealthDashboard

extension StatsResult {
    /// Keeps the buckets with the largest values, the largest first. Of equal ones the earlier is
    /// first.
    mutating func keepLargest(_ count: Int) {
        isRanked = true
        buckets = buckets.filter { $0.values.height != nil }.ranked(by: \.values.height, count)
    }
}

extension SleepStatsResult {
    /// Keeps the buckets with the most time asleep a night, the longest first.
    mutating func keepLongest(_ count: Int) {
        isRanked = true
        buckets = buckets.filter { $0.amounts.average != nil }.ranked(by: \.amounts.average, count)
    }
}

extension SleepStatsResult.Amounts {
    /// Seconds asleep a night, over the nights of which it is known; nil without any.
    var average: Double? { nightsAsleep > 0 ? asleep.map { $0 / Double(nightsAsleep) } : nil }
}

extension Array {
    /// Returns the elements with the largest values, the largest first.
    fileprivate func ranked(by value: (Element) -> Double?, _ count: Int) -> [Element] {
        let order = enumerated().sorted {
            let (a, b) = (value($0.element) ?? -.infinity, value($1.element) ?? -.infinity)
            return a == b ? $0.offset < $1.offset : a > b
        }
        return order.prefix(count).map(\.element)
    }
}

/// Words for buckets in a ranking.
enum RankingText {
    /// Returns when a bucket is: "on 2025-03-10", "in the week of 2025-03-10", "in 2025-03".
    static func time(_ start: Double, _ end: Double, _ step: Step, _ calendar: CalendarBuckets)
        -> String
    {
        let label = StatsText.label(start, end, step, calendar)
        switch step.calendarStep {
        case .hour: return "in the hour from " + label
        case .day: return "on " + DateText.long(start, calendar)
        case .week: return "in the week from " + DateText.long(start, calendar)
        case .month, .year, nil: return "in " + label
        }
    }
}

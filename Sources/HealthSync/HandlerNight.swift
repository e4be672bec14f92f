public import Foundation

/// A night, noon to noon.
///
/// A sleep that begins before midnight and one that begins after it belong to the same night; so does
/// an afternoon's nap to the night that follows. On the days the clocks change it is 23 or 25 hours long.
public struct Night: Hashable, Sendable, Comparable {
    /// From noon to noon of the next day.
    public let interval: DateInterval
    /// The day it ends on: year, month and day in the calendar it was made with.
    public let morning: DateComponents

    /// The night that a moment belongs to; noon itself to the one that begins.
    public init(containing date: Date, in calendar: Calendar) {
        let day = calendar.startOfDay(for: date)
        let noon = calendar.noon(of: day)
        let isMorning = date < noon
        let start = isMorning ? calendar.noon(of: calendar.day(after: day, by: -1)) : noon
        let lastDay = isMorning ? day : calendar.day(after: day, by: 1)
        interval = DateInterval(start: start, end: max(start, calendar.noon(of: lastDay)))
        morning = calendar.dateComponents([.year, .month, .day], from: lastDay)
    }

    /// The nights that a span of time touches, the earliest first; its end is not part of it. Of a
    /// span longer than ten years, which no sleep has, the first and the last night.
    ///
    /// - Complexity: O(nights).
    public static func touched(from start: Date, to end: Date, in calendar: Calendar) -> [Night] {
        var nights = [Night(containing: start, in: calendar)]
        if end.timeIntervalSince(start) > longestTouched {
            return nights + [Night(containing: end.addingTimeInterval(-1), in: calendar)]
        }
        while let last = nights.last, last.interval.end < end {
            let next = Night(containing: last.interval.end, in: calendar)
            guard next.interval.end > last.interval.end else { break }
            nights.append(next)
        }
        return nights
    }

    /// Ten years in seconds.
    private static let longestTouched = 3_653 * 86_400.0

    /// A moment that no change of the clocks moves to another night.
    var middle: Date { interval.start.addingTimeInterval(interval.duration / 2) }

    public static func < (a: Night, b: Night) -> Bool { a.interval < b.interval }
}

extension Calendar {
    fileprivate func noon(of day: Date) -> Date {
        // Foundation searches for the hour, which has no end where calendars stop counting.
        guard abs(day.timeIntervalSinceReferenceDate) < 1e12 else {
            return day.addingTimeInterval(43_200)
        }
        return date(bySettingHour: 12, minute: 0, second: 0, of: day)
            ?? day.addingTimeInterval(43_200)
    }

    fileprivate func day(after day: Date, by count: Int) -> Date {
        let other = date(byAdding: .day, value: count, to: day)
        return startOfDay(for: other ?? day.addingTimeInterval(86_400 * Double(count)))
    }
}

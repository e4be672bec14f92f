public import Foundation
import HealthCalendar

/// A night, from noon to noon.
///
/// Sleep that begins before or after midnight belongs to the same night. A nap in the afternoon
/// belongs to the following night. When the clocks change by an hour, a night has 23 or 25 hours.
public struct Night: Hashable, Sendable, Comparable {
    /// The half-open interval from noon to noon of the next day.
    public let interval: DateInterval
    /// The day on which the night ends: year, month and day in the calendar with which the night
    /// was created.
    public let morning: DateComponents

    /// Creates the night that contains a date. Noon belongs to the night that begins then.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - calendar: The calendar, with the time zone.
    public init(containing date: Date, in calendar: Calendar) {
        (interval, morning) = calendar.noonToNoon(containing: date)
    }

    /// Returns the nights that a half-open span overlaps, the earliest first.
    ///
    /// For a span longer than ten years (3,653 days), only its first and last night are returned.
    ///
    /// - Parameters:
    ///   - start: The start of the span; the night that contains it is always included.
    ///   - end: The end of the span, exclusive.
    ///   - calendar: The calendar, with the time zone.
    /// - Returns: At least one night.
    /// - Complexity: O(*n*) for *n* nights.
    public static func overlapping(from start: Date, to end: Date, in calendar: Calendar) -> [Night]
    {
        var nights = [Night(containing: start, in: calendar)]
        if end.timeIntervalSince(start) > longestOverlapped {
            return nights + [Night(containing: end.addingTimeInterval(-1), in: calendar)]
        }
        while let last = nights.last, last.interval.end < end {
            let next = Night(containing: last.interval.end, in: calendar)
            guard next.interval.end > last.interval.end else { break }
            nights.append(next)
        }
        return nights
    }

    /// The longest span for which all nights are returned: ten years, in seconds.
    private static let longestOverlapped = 3_653 * 86_400.0

    /// The date in the middle of the interval. It still identifies the night if changed time-zone
    /// rules move its start and end.
    var middle: Date { interval.start.addingTimeInterval(interval.duration / 2) }

    public static func < (a: Night, b: Night) -> Bool { a.interval < b.interval }
}

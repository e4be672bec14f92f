import Foundation
import HealthCalendar
import HealthStorage

/// Parses the time of a weight.
enum WeightMoment {
    /// Parses "07:30" as today, "2024-03-10 07:30" as local time, "2024-03-10" as its noon but not
    /// later than now, and ISO 8601 with an offset.
    ///
    /// - Parameters:
    ///   - text: The text; nil for the current time.
    ///   - calendar: The calendar and time zone of local times.
    ///   - now: The current time.
    /// - Throws: ``UsageError`` for an invalid time, or one more than a minute in the future.
    static func date(_ text: String?, _ calendar: CalendarBuckets, now: Date) throws -> Date {
        guard let text else { return now }
        let date = try parsed(text, calendar, now: now)
        // A minute allows for small differences between clocks.
        guard date <= now.addingTimeInterval(60) else {
            throw UsageError(
                "\(text.printable) is in the future. Use the current time or an earlier one.")
        }
        return date
    }

    private static func parsed(
        _ text: String, _ calendar: CalendarBuckets, now: Date
    ) throws -> Date {
        let words = text.split { $0 == " " || $0 == "T" }.map(String.init)
        if let clock = words.last.flatMap(clock), words.count <= 2 {
            let day =
                words.count == 2 ? words[0] : calendar.day(now.timeIntervalSinceReferenceDate)
            return try moment(day, clock, calendar, text)
        }
        if words.count == 1, !text.contains("T") {
            let noon = try moment(text, (12, 0), calendar, text)
            let isToday = calendar.day(now.timeIntervalSinceReferenceDate) == text
            return isToday ? min(noon, now) : noon
        }
        return Date(
            timeIntervalSinceReferenceDate: try UsageError.checking { try calendar.time(text) })
    }

    private static func clock(_ text: String) -> (hour: Int, minute: Int)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        return (hour, minute)
    }

    private static func moment(
        _ day: String, _ clock: (hour: Int, minute: Int), _ calendar: CalendarBuckets,
        _ text: String
    ) throws -> Date {
        let midnight = try UsageError.checking { try calendar.time(day) }
        // A clock change can skip a local time.
        let time = calendar.moment(clock.hour, clock.minute, on: calendar.civilDate(midnight))
        guard let time else {
            throw UsageError(
                "\(text.printable) doesn't exist in \(calendar.calendar.timeZone.identifier) "
                    + "because of a clock change.")
        }
        return Date(timeIntervalSinceReferenceDate: time)
    }
}

extension DateRange {
    /// Returns the range in seconds since 2001-01-01T00:00:00Z.
    ///
    /// - Throws: ``UsageError`` for an invalid date, or a start after the end.
    func span(_ calendar: CalendarBuckets) throws -> WeightSpan {
        let times = try times(calendar)
        return WeightSpan(
            from: times.from.isFinite ? times.from : nil, to: times.to.isFinite ? times.to : nil)
    }
}

/// A half-open interval in seconds since 2001-01-01T00:00:00Z; nil for an open end.
struct WeightSpan: Sendable {
    var from: Double?
    var to: Double?

    func contains(_ date: Date) -> Bool {
        let time = date.timeIntervalSinceReferenceDate
        return time >= from ?? -.infinity && time < to ?? .infinity
    }
}

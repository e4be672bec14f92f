import Foundation
import HealthStorage

/// Moments as people say them of a weight.
enum WeightMoment {
    /// Reads "07:30" of today, "2024-03-10 07:30" where the person lives, "2024-03-10" as its noon,
    /// and ISO 8601 with an offset; now if nothing is said.
    ///
    /// - Throws: ``WrongUsage`` for what is no moment, or lies ahead.
    static func date(_ text: String?, _ calendar: CalendarBuckets, now: Date) throws -> Date {
        guard let text else { return now }
        let date = try parsed(text, calendar, now: now)
        // Clocks differ a little.
        guard date <= now.addingTimeInterval(60) else {
            throw WrongUsage(
                "\(text.printable) lies ahead: a weight is written down when it is known.")
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
            timeIntervalSinceReferenceDate: try WrongUsage.checking { try calendar.time(text) })
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
        let midnight = Date(
            timeIntervalSinceReferenceDate: try WrongUsage.checking { try calendar.time(day) })
        let date = calendar.calendar.date(
            bySettingHour: clock.hour, minute: clock.minute, second: 0, of: midnight)
        // Where clocks go forward there is no such time.
        guard let date,
            calendar.calendar.component(.hour, from: date) == clock.hour,
            calendar.calendar.component(.minute, from: date) == clock.minute
        else {
            throw WrongUsage(
                "There was no \(text.printable) in \(calendar.calendar.timeZone.identifier).")
        }
        return date
    }
}

extension DateRange {
    /// The range as moments.
    func span(_ calendar: CalendarBuckets) throws -> WeightSpan {
        try WrongUsage.checking {
            let span = WeightSpan(
                from: try from.map { try calendar.time($0) },
                to: try to.map { try calendar.time($0) })
            if let from = span.from, let to = span.to, from > to {
                throw WrongUsage("--from is later than --to.")
            }
            return span
        }
    }
}

/// From a moment to before another, in seconds since 2001; open where nil.
struct WeightSpan: Sendable {
    var from: Double?
    var to: Double?

    func contains(_ date: Date) -> Bool {
        let time = date.timeIntervalSinceReferenceDate
        return time >= from ?? -.infinity && time < to ?? .infinity
    }
}

import ArgumentParser
import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage

/// The options `--from` (inclusive) and `--to` (exclusive), or `--last` or `--year` instead.
struct DateRange: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The start (inclusive): 2024-03-10, yesterday or 2024-03-10T08:30.",
            valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("The end (exclusive).", valueName: "date"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "The last days up to today, as 30d, 8w, 6m or 2y; or the last calendar week, month or "
                + "year.",
            valueName: "period"))
    var last: String?

    @Option(help: ArgumentHelp("The calendar year, for example 2025.", valueName: "year"))
    var year: String?

    func validate() throws {
        let periods = [last, year].compactMap(\.self)
        guard periods.count < 2, periods.isEmpty || from == nil && to == nil else {
            throw ValidationError("Choose --from and --to, or --last, or --year.")
        }
    }

    /// Restricts a query to the range.
    ///
    /// - Throws: ``UsageError`` for an invalid range.
    func apply(to query: inout SampleQuery, _ calendar: CalendarBuckets) throws {
        let times = try times(calendar)
        (query.from, query.to) = calendar.range(
            from: times.from, to: times.to, of: query.type)
    }

    /// Returns the range in seconds since 2001-01-01T00:00:00Z; infinite for an open end.
    ///
    /// - Parameter now: The time that words such as "yesterday" refer to.
    /// - Throws: ``UsageError`` for an invalid date, or a start after the end.
    func times(
        _ calendar: CalendarBuckets, now: Date = Date()
    ) throws -> (from: Double, to: Double) {
        guard let period = try period(calendar, now) else {
            return try DateRange.times(from: from, to: to, calendar, now: now)
        }
        return calendar.times(of: period)
    }

    /// Returns the period of `--last` or `--year`; nil without either.
    private func period(_ calendar: CalendarBuckets, _ now: Date) throws -> DayPeriod? {
        if let year, !(year.utf8.count == 4 && year.utf8.allSatisfy { (48...57).contains($0) }) {
            throw UsageError("“\(year.printable)” is not a year. Use four digits, such as 2025.")
        }
        guard let text = year ?? last.map({ $0.hasPrefix("last ") ? $0 : "last " + $0 }) else {
            return nil
        }
        let today = calendar.civilDate(now.timeIntervalSinceReferenceDate)
        return try UsageError.checking {
            do {
                return try DayPeriod(text, today: today, firstWeekday: calendar.firstWeekday)
            } catch CalendarError.notAPeriod {
                throw CalendarError.notAPeriod(last ?? text)
            }
        }
    }

    /// Returns the range between two written dates, as ``times(_:now:)`` does.
    static func times(
        from: String?, to: String?, _ calendar: CalendarBuckets, now: Date = Date()
    ) throws -> (from: Double, to: Double) {
        let today = calendar.civilDate(now.timeIntervalSinceReferenceDate)
        let times = try UsageError.checking {
            (
                from: try from.map { try calendar.time($0, today: today) } ?? -.infinity,
                to: try to.map { try calendar.time($0, today: today) } ?? .infinity
            )
        }
        if times.from > times.to { throw UsageError("--from is later than --to.") }
        return times
    }
}

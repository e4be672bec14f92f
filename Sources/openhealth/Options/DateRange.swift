import ArgumentParser
import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage

/// The options `--from` (inclusive) and `--to` (exclusive).
struct DateRange: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The start (inclusive): 2024-03-10 or 2024-03-10T08:30:00+01:00.", valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("The end (exclusive).", valueName: "date"))
    var to: String?

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
    /// - Throws: ``UsageError`` for an invalid date, or a start after the end.
    func times(_ calendar: CalendarBuckets) throws -> (from: Double, to: Double) {
        try DateRange.times(from: from, to: to, calendar)
    }

    /// Returns the range between two written dates, as ``times(_:)`` does.
    static func times(
        from: String?, to: String?, _ calendar: CalendarBuckets
    ) throws -> (from: Double, to: Double) {
        let times = try UsageError.checking {
            (
                from: try from.map(calendar.time) ?? -.infinity,
                to: try to.map(calendar.time) ?? .infinity
            )
        }
        if times.from > times.to { throw UsageError("--from is later than --to.") }
        return times
    }
}

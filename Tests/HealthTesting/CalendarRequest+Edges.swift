import Foundation
import HealthCalendar
import Testing

extension CalendarRequest {
    /// Returns the edges of the requested buckets, with the first and last bucket clipped to `from`
    /// and `to`.
    ///
    /// - Returns: The edges in seconds since 2001, ascending.
    /// - Throws: An error if the time zone, the unit or a date is invalid.
    public func edges() throws -> [Double] {
        let zone = try #require(TimeZone(identifier: zone), "no zone \(zone)")
        let buckets = CalendarBuckets(timeZone: zone, firstWeekday: unit == "week-sunday" ? 1 : 2)
        let (from, to) = try (buckets.time(from), buckets.time(to))
        let edges: [Double]
        if let interval = try interval() {
            edges = try buckets.edges(from: from, to: to, every: interval, anchoredAt: from)
        } else {
            let name = unit.hasPrefix("week") ? "week" : unit
            let unit = try #require(CalendarStep(rawValue: name), "no unit \(name)")
            edges = try buckets.edges(from: from, to: to, by: unit)
        }
        return [from] + edges.filter { $0 > from && $0 < to } + [to]
    }

    /// Returns "P3M" and "PT30M" as components; nil for named units.
    private func interval() throws -> DateComponents? {
        guard unit.hasPrefix("P"), let letter = unit.last else { return nil }
        let count = try #require(Int(unit.dropLast().drop { !$0.isNumber }), "no step \(unit)")
        switch (unit.hasPrefix("PT"), letter) {
        case (true, "M"): return DateComponents(minute: count)
        case (false, "D"): return DateComponents(day: count)
        case (false, "W"): return DateComponents(weekOfYear: count)
        case (false, "M"): return DateComponents(month: count)
        case (false, "Y"): return DateComponents(year: count)
        default: return try #require(nil, "no step \(unit)")
        }
    }
}

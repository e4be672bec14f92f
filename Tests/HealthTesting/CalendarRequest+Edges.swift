import Foundation
import HealthStorage
import HealthTesting
import Testing

extension CalendarRequest {
    /// The borders of the buckets asked for, the first and last clipped to `from` and `to`.
    func edges() throws -> [Double] {
        let zone = try #require(TimeZone(identifier: zone), "no zone \(zone)")
        let buckets = CalendarBuckets(timeZone: zone, firstWeekday: unit == "week-sunday" ? 1 : 2)
        let (from, to) = try (buckets.time(from), buckets.time(to))
        let edges: [Double]
        if let interval = try interval() {
            edges = try buckets.edges(from: from, to: to, every: interval, anchoredAt: from)
        } else {
            let name = unit.hasPrefix("week") ? "week" : unit
            let unit = try #require(CalendarBuckets.Unit(rawValue: name), "no unit \(name)")
            edges = try buckets.edges(from: from, to: to, by: unit)
        }
        return [from] + edges.filter { $0 > from && $0 < to } + [to]
    }

    /// "P3M" and "PT30M" as components; nil for the units with names.
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

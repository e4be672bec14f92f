import Foundation
import HealthCalendar
import HealthEngine
import HealthServer
import HealthStorage

// The query items that several resources have, parsed like the options of the command.
extension APIRequest {
    /// Returns the type with a name or an identifier.
    ///
    /// - Throws: `StoreError` for an unknown one, ``APIProblem`` if the token doesn't permit it.
    func type(_ name: String, in store: SampleStore) throws -> SampleType {
        let type = try Catalogue.type(called: name) ?? store.type(named: name)
        guard scope.allows(type.identifier) else {
            throw APIProblem.notPermitted("This token doesn't permit \(type.name).")
        }
        return type
    }

    /// Returns the calendar: in `time-zone`, else the given zone, else the store's home zone.
    ///
    /// - Throws: ``UsageError`` for an unknown zone or weekday.
    func calendar(of store: SampleStore, _ zone: TimeZone?) throws -> CalendarBuckets {
        var options = GlobalOptions()
        (options.store, options.as, options.json) = (nil, nil, true)
        options.timeZone = self["time-zone"] ?? zone?.identifier
        return try options.calendar(of: store, firstWeekday: try weekStart.number)
    }

    private var weekStart: Weekday {
        get throws {
            guard let text = self["week-starts"] else { return .monday }
            guard let day = Weekday(argument: text) else {
                throw UsageError("Unknown weekday “\(text.prefix(40))”. Use one such as monday.")
            }
            return day
        }
    }

    /// Returns the range of `from` (inclusive) and `to` (exclusive), in reference seconds; infinite
    /// for an open end.
    ///
    /// - Throws: ``UsageError`` for an invalid date; ``APIProblem`` for a part of a day with a
    ///   token that reads only statistics, because a short range can contain a single sample.
    func times(_ calendar: CalendarBuckets) throws -> (from: Double, to: Double) {
        // In a query, "+" is a space, also the one in "+01:00" that a client didn't encode.
        let texts = ["from", "to"].map { self[$0]?.replacing(" ", with: "+") }
        if scope.isAggregatedOnly, texts.contains(where: { $0?.contains("T") == true }) {
            throw APIProblem.notPermitted(
                "This token reads only whole days: use dates such as 2024-03-10.")
        }
        return try DateRange.times(from: texts[0], to: texts[1], calendar)
    }

    /// Returns the query for samples of a permitted type: the range, the sources and what the token
    /// permits of it.
    func query(_ type: SampleType, _ calendar: CalendarBuckets) throws -> SampleQuery {
        let times = try times(calendar)
        var query = SampleQuery(
            type, sources: all("source"), visibility: scope.visibilityOfPermittedTypes)
        (query.from, query.to) = calendar.range(from: times.from, to: times.to, of: type)
        return query
    }

    /// Returns the value of a query item that is true or false.
    ///
    /// - Throws: ``UsageError`` for another value.
    func flag(_ name: String) throws -> Bool {
        switch self[name] {
        case nil, "false", "0": false
        case "true", "1": true
        default: throw UsageError("\(name) must be true or false.")
        }
    }

    /// Returns the value of a query item that is a whole number.
    ///
    /// - Throws: ``UsageError`` for another value, or one outside the range.
    func number(_ name: String, in range: ClosedRange<Int>, default value: Int) throws -> Int {
        guard let text = self[name] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}

public import Foundation
import HealthCalendar
public import HealthEngine

/// The content of one page, as a value for HTML, JSON and terminal output.
///
/// ```swift
/// let page = try await SummaryPage(of: service, on: CivilDate(2024, 3, 10), context: context)
/// print(page.sentence)         // "8,214 steps on 10 March 2024. Watch 6,120 · …"
/// try page.json()              // what `/.json` answers
/// ```
public protocol Page: Codable, Sendable {
    /// The URL path of the page: "/type".
    static var path: String { get }
    /// The title of the page: "Trends".
    static var title: String { get }
    /// The first line: the main result as an English sentence.
    var sentence: String { get }
    /// When the numbers were read, and whether they are current.
    var freshness: Freshness { get set }
}

extension Page {
    /// Returns the page as JSON with sorted keys. Times are in ISO 8601 and UTC, in whole seconds.
    /// Unknown values are omitted, except that ``SleepNight/asleep`` and ``SleepNight/inBed`` are
    /// null. Numbers that are not finite are null.
    ///
    /// - Returns: JSON in UTF-8.
    /// - Throws: `EncodingError`; never for a page of this package.
    public func json() throws -> Data { try PageJSON.data(self) }
}

/// A deterministic JSON encoding, with sorted keys, dates in ISO 8601 and UTC, and null for numbers
/// that are not finite.
package enum PageJSON {
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A random placeholder for numbers that are not finite, which no other text contains.
        let placeholder = UUID().uuidString
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: placeholder, negativeInfinity: placeholder, nan: placeholder)
        var data = try encoder.encode(value)
        let written = Data("\"\(placeholder)\"".utf8)
        var searchStart = data.startIndex
        while let match = data.range(of: written, in: searchStart..<data.endIndex) {
            data.replaceSubrange(match, with: Data("null".utf8))
            searchStart = match.lowerBound
        }
        return data
    }
}

/// When a page's numbers were read, and whether they are current.
public struct Freshness: Hashable, Sendable, Codable {
    /// When the numbers were read.
    public var asOf: Date
    /// Whether the data is known to be unchanged since. It is false for a cached page until its
    /// revisions were compared.
    public var isCurrent: Bool
    /// The last day, at most today, on which a sample of the Today page's quantities or categories
    /// starts. Nil if it is not known; the initializers of this module's pages don't set it.
    public var newest: CivilDate?

    /// Creates a freshness without ``newest``.
    ///
    /// - Parameters:
    ///   - asOf: When the numbers were read.
    ///   - isCurrent: Whether the data is known to be unchanged since.
    public init(asOf: Date, isCurrent: Bool) {
        self.asOf = asOf
        self.isCurrent = isCurrent
    }
}

extension Freshness {
    /// Whether the amounts of a period may still grow: it isn't over, or no data is known of its
    /// last day.
    package func mayGrow(in interval: DateInterval, _ calendar: Calendar) -> Bool {
        asOf < interval.end
            || newest.map { $0 < calendar.days(of: interval).upperBound } ?? false
    }
}

/// What a page depends on besides the data: the time, the calendar and the goal.
public struct PageContext: Hashable, Sendable {
    /// The current date.
    public var now: Date
    /// The Gregorian calendar with the time zone and first weekday. The service must use an equal
    /// one.
    public var calendar: Calendar
    /// The goal for steps per day; nil for none.
    public var stepGoal: Double?

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - now: The current date.
    ///   - calendar: The calendar whose time zone and first weekday are used.
    ///   - stepGoal: The goal for steps per day; nil for none.
    public init(now: Date = .now, calendar: Calendar = .current, stepGoal: Double? = nil) {
        self.now = now
        self.calendar = .gregorian(in: calendar.timeZone, firstWeekday: calendar.firstWeekday)
        self.stepGoal = stepGoal
    }

    /// The current day in the time zone of ``calendar``.
    public var today: CivilDate { calendar.civilDate(of: now) }

    /// Returns a cache key for ``DashboardCache``. It consists of the given name, the current day,
    /// the time zone, the first weekday, and the goal if there is one. The key is the same all day,
    /// because only the day of ``now`` is part of it.
    ///
    /// - Parameter name: The page's own parameters as text, for example "day 2024-03-10".
    /// - Returns: The key.
    public func cacheKey(_ name: String) -> String {
        "\(name), on \(today), \(calendar.timeZone.identifier), weeks from \(calendar.firstWeekday)"
            + (stepGoal.map { ", goal \($0)" } ?? "")
    }

    /// Returns "today so far", "yesterday", or for all other days "on 10 March 2024".
    package func label(for day: CivilDate) -> String {
        switch today.dayNumber - day.dayNumber {
        case 0: "today so far"
        case 1: "yesterday"
        default: "on \(DateText.long(day.description))"
        }
    }

    var freshness: Freshness { Freshness(asOf: now, isCurrent: true) }
}

public import Foundation
import HealthCalendar
public import HealthEngine

/// The content of one page, as a value for HTML, JSON and terminal output.
///
/// ```swift
/// let page = try await TodayPage(of: service, on: CivilDate(2024, 3, 10), setting: setting)
/// print(page.sentence)         // "8,214 steps on 10 March 2024. Watch 6,120 · …"
/// try page.json()              // what `/.json` answers
/// ```
public protocol Page: Codable, Sendable {
    /// The URL path of the page: "/trends".
    static var path: String { get }
    /// The title of the page: "Trends".
    static var title: String { get }
    /// The first line: the main result as an English sentence.
    var sentence: String { get }
    /// When the numbers were read, and whether they are current.
    var freshness: Freshness { get set }
}

extension Page {
    /// Returns the page as JSON, with sorted keys and dates in ISO 8601 and UTC. Unknown values are
    /// omitted; values that are not finite are null.
    ///
    /// - Returns: JSON in UTF-8.
    /// - Throws: `EncodingError`; never for a page of this package.
    public func json() throws -> Data { try PageJSON.data(self) }
}

/// A deterministic JSON encoding, with sorted keys and dates in ISO 8601.
package enum PageJSON {
    package static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A random placeholder, which no text contains.
        let mark = UUID().uuidString
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: mark, negativeInfinity: mark, nan: mark)
        var data = try encoder.encode(value)
        let written = Data("\"\(mark)\"".utf8)
        var rest = data.startIndex
        while let place = data.range(of: written, in: rest..<data.endIndex) {
            data.replaceSubrange(place, with: Data("null".utf8))
            rest = place.lowerBound
        }
        return data
    }
}

/// When a page's numbers were read, and whether they are current.
public struct Freshness: Hashable, Sendable, Codable {
    /// When the numbers were read.
    public var asOf: Date
    /// Whether the data is known to be unchanged since. Otherwise newer numbers are being read.
    public var isCurrent: Bool
    /// The last day with any data; nil if it is not known.
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

/// What a page depends on besides the data: the time, the calendar and the goal.
public struct PageSetting: Hashable, Sendable {
    /// The current date.
    public var now: Date
    /// The Gregorian calendar with the time zone and first weekday. The service must use the same.
    public var calendar: Calendar
    /// The goal for steps per day; nil for none.
    public var stepGoal: Double?

    /// Creates a setting.
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

    /// Returns a cache key for ``DashboardCache``: a text with the time zone, first weekday, goal
    /// and current day added.
    ///
    /// - Parameter words: The page's own parameters as text.
    /// - Returns: The key.
    public func question(_ words: String) -> String {
        "\(words), on \(today), \(calendar.timeZone.identifier), weeks from \(calendar.firstWeekday)"
            + (stepGoal.map { ", goal \($0)" } ?? "")
    }

    /// Returns "today so far", "yesterday" or "on 10 March 2024".
    package func words(for day: CivilDate) -> String {
        switch today.dayNumber - day.dayNumber {
        case 0: "today so far"
        case 1: "yesterday"
        default: "on \(DayWords.long(day.description))"
        }
    }

    var freshness: Freshness { Freshness(asOf: now, isCurrent: true) }
}

package import HealthEngine

/// A period of whole days, written in words or numbers: "yesterday", "last week", "30d", "2025".
package struct DayPeriod: Hashable, Sendable {
    package let first: CivilDate
    /// The day after the last one.
    package let end: CivilDate

    package init(first: CivilDate, end: CivilDate) {
        self.first = first
        self.end = end
    }

    /// Parses a period. Case and surrounding spaces don't matter.
    ///
    /// | text | days |
    /// |---|---|
    /// | `today`, `yesterday` | one day |
    /// | `tuesday`, `last tuesday` | the latest Tuesday before today |
    /// | `this week`, `last month` | the calendar week, month or year of today, or the one before |
    /// | `30d`, `8w`, `6m`, `2y` | days, weeks, months or years up to today, today included |
    /// | `2025`, `2025-11`, `2025-11-03` | a year, a month, a day |
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - today: The day that words refer to.
    ///   - firstWeekday: The first day of the week: 1 is Sunday, 2 is Monday.
    /// - Throws: ``CalendarError`` if the text is none of these, or outside
    ///   `CivilDate.supportedRange`.
    package init(
        _ text: String, today: CivilDate, firstWeekday: Int
    ) throws(CalendarError) {
        let words = text.lowercased().split(separator: " ")
        let period =
            Self.named(words, today, firstWeekday) ?? Self.counted(words, today)
            ?? Self.calendarUnit(text)
        guard let period else {
            if let day = CivilDate(text), !CivilDate.supportedRange.contains(day) {
                throw .outOfRange(text)
            }
            throw .notAPeriod(text)
        }
        let range = CivilDate.supportedRange
        guard range.contains(period.first), range.contains(period.end.advanced(by: -1)) else {
            throw .outOfRange(text)
        }
        self = period
    }

    /// The period of the same length that ends where this one starts. Whole months, quarters and
    /// years have as many months before them.
    package var previous: DayPeriod {
        let months = (end.year - first.year) * 12 + end.month - first.month
        let start =
            first.day == 1 && end.day == 1 && months > 0
            ? first.advanced(by: -months, .month)
            : first.advanced(by: first.dayNumber - end.dayNumber)
        return DayPeriod(first: start, end: first)
    }

    private init(_ day: CivilDate) { self.init(first: day, end: day.advanced(by: 1)) }

    /// Returns the period of words such as "yesterday" and "last week".
    private static func named(
        _ words: [Substring], _ today: CivilDate, _ firstWeekday: Int
    ) -> DayPeriod? {
        guard let word = words.last, words.count <= 2 else { return nil }
        let qualifier = words.count == 2 ? words[0] : nil
        switch (qualifier, word) {
        case (nil, "today"): return DayPeriod(today)
        case (nil, "yesterday"), ("last", "day"): return DayPeriod(today.advanced(by: -1))
        case (nil, _), ("last", _):
            if let weekday = weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
                let days = (today.weekday - weekday + 6) % 7 + 1
                return DayPeriod(today.advanced(by: -days))
            }
            guard qualifier != nil else { return nil }
        default: break
        }
        guard let step = CalendarStep(rawValue: String(word)), step != .hour, step != .day else {
            return nil
        }
        let start = today.first(of: step, firstWeekday)
        switch qualifier {
        case "this": return DayPeriod(first: start, end: start.advanced(by: 1, step))
        case "last": return DayPeriod(first: start.advanced(by: -1, step), end: start)
        default: return nil
        }
    }

    /// Monday first, as ``CivilDate/weekday`` counts.
    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// Returns the period of "30d", "last 30d", "30 days" and "last 6 months".
    private static func counted(_ words: [Substring], _ today: CivilDate) -> DayPeriod? {
        let text = (words.first == "last" ? words.dropFirst() : words[...]).joined()
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), (1...1_000_000).contains(count) else { return nil }
        let end = today.advanced(by: 1)
        switch text.dropFirst(digits.count) {
        case "d", "day", "days": return DayPeriod(first: end.advanced(by: -count), end: end)
        case "w", "week", "weeks": return DayPeriod(first: end.advanced(by: -7 * count), end: end)
        case "m", "month", "months": return DayPeriod(first: end.earlier(by: count), end: end)
        case "y", "year", "years": return DayPeriod(first: end.earlier(by: 12 * count), end: end)
        default: return nil
        }
    }

    /// Returns the period of "2025", "2025-11" and "2025-11-03".
    private static func calendarUnit(_ text: String) -> DayPeriod? {
        switch text.utf8.count {
        case 4:
            CivilDate(text + "-01-01").map { DayPeriod(first: $0, end: $0.advanced(by: 1, .year)) }
        case 7:
            CivilDate(text + "-01").map { DayPeriod(first: $0, end: $0.advanced(by: 1, .month)) }
        default: CivilDate(text).map { DayPeriod($0) }
        }
    }
}

extension CivilDate {
    /// Returns the day of the month `months` months earlier, or that month's last day if it is
    /// shorter: 28 February for a month before 31 March.
    fileprivate func earlier(by months: Int) -> CivilDate {
        let start = first(of: .month, 2).advanced(by: -months, .month)
        let length = start.advanced(by: 1, .month).dayNumber - start.dayNumber
        return start.advanced(by: min(day, length) - 1)
    }
}

extension CalendarBuckets {
    /// Returns the start and the end (exclusive) of a period in reference seconds. A day that the
    /// time zone skipped starts when the next one does.
    package func times(of period: DayPeriod) -> (from: Double, to: Double) {
        (clock.start(of: period.first), clock.start(of: period.end))
    }
}

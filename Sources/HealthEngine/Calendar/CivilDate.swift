/// A day of the Gregorian calendar, without a time zone or a time of day: `CivilDate(2026, 10, 1)`.
///
/// The calendar is proleptic: its rules also apply before 1582. The arithmetic uses integers only.
/// The module HealthCalendar computes the instant at which a day starts in a time zone.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// The astronomical year: 0 is 1 BC.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Creates a day from its components without checking them.
    ///
    /// - Parameters:
    ///   - year: The astronomical year.
    ///   - month: The month, 1 to 12 in a valid date.
    ///   - day: The day of the month, from 1 in a valid date.
    public init(_ year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a day from text such as "2026-10-01". Returns nil for other text and for dates that
    /// do not exist.
    ///
    /// - Parameter text: Four digits, two digits and two digits, separated by hyphens.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy(CivilDate.isDigits),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year, month, day)
        guard isInCalendar else { return nil }
    }

    /// Returns whether a text has digits only. `Int.init` also accepts a sign.
    private static func isDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether the date exists. False for 29 February 2023, and for years with more than six
    /// digits.
    package var isInCalendar: Bool {
        (-999_999...999_999).contains(year) && (1...12).contains(month)
            && (1...31).contains(day) && CivilDate(dayNumber: dayNumber) == self
    }

    public static func < (a: CivilDate, b: CivilDate) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }
}

// MARK: - User input

extension CivilDate {
    /// The days that commands, URLs and forms accept: 0001-01-01 to 9999-12-31.
    package static var supportedRange: ClosedRange<CivilDate> {
        CivilDate(1, 1, 1)...CivilDate(9999, 12, 31)
    }

    /// Why a text is not a day in ``CivilDate/supportedRange``.
    package enum DateTextError: Error, Hashable, Sendable {
        /// The text is not written as a date, or has a month that does not exist.
        case notADate
        /// The text is written as a date, but its month does not have this day: "30 February 2026".
        case noSuchDay(String)
        /// The day is before the first or after the last of ``CivilDate/supportedRange``.
        case outOfRange

        /// The end of an error message that starts with the text: "is not a date. Use YYYY-MM-DD,
        /// for example 2024-03-10."
        package var reason: String {
            switch self {
            case .notADate: "is not a date. Use YYYY-MM-DD, for example 2024-03-10."
            case .noSuchDay(let day): "is not a date. There is no \(day)."
            case .outOfRange:
                "is out of range: choose a day from \(CivilDate.supportedRange.lowerBound) to "
                    + "\(CivilDate.supportedRange.upperBound)."
            }
        }
    }

    /// Creates a day from user input: `CivilDate(validating: "2024-03-10")`.
    ///
    /// - Parameter text: A date in the form `YYYY-MM-DD`.
    /// - Throws: ``DateTextError`` unless the text is an existing day in
    ///   ``CivilDate/supportedRange``.
    package init(validating text: String) throws(DateTextError) {
        guard let day = CivilDate(text) else {
            if let day = CivilDate.missingDay(text) { throw .noSuchDay(day) }
            throw CivilDate.hasOtherYear(text) ? .outOfRange : .notADate
        }
        guard CivilDate.supportedRange.contains(day) else { throw .outOfRange }
        self = day
    }

    /// Returns the day of a text in the form `YYYY-MM-DD` if its month does not have this day:
    /// "30 February 2026" for "2026-02-30". Returns nil for other texts.
    package static func missingDay(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].utf8.count == 2, let day = Int(parts[2]), day > 28,
            CivilDate(text) == nil, let first = CivilDate("\(parts[0])-\(parts[1])-01")
        else { return nil }
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ]
        return "\(day) \(months[first.month - 1]) \(parts[0])"
    }

    /// Returns whether a text is a date with a negative year or a year of more than four digits:
    /// "-0001-01-01", "10000-01-01". 29 February is accepted in every such year.
    private static func hasOtherYear(_ text: String) -> Bool {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let unsigned = isNegative ? text.dropFirst() : text[...]
        guard let dash = unsigned.firstIndex(of: "-") else { return false }
        let year = unsigned[..<dash]
        guard isDigits(year), isNegative ? !year.isEmpty : year.utf8.count > 4 else {
            return false
        }
        return CivilDate("2000" + unsigned[dash...]) != nil
    }
}

extension CivilDate: CustomStringConvertible {
    /// The date in ISO 8601: "2026-10-01", or "-0044-03-15" before year 0.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number.magnitude)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(year < 0 ? "-" : "")\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension CivilDate {
    /// The number of days since 2001-01-01. Earlier days are negative.
    public var dayNumber: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }

    /// Creates the day with a ``dayNumber``.
    ///
    /// - Parameter dayNumber: Days since 2001-01-01.
    public init(dayNumber: Int) {
        let z = dayNumber + 730_791
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        self.init(
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }

    /// Splits a number of seconds into a day and the second of that day: `split(seconds: -1)` is
    /// the last second of 2000-12-31.
    ///
    /// - Parameter seconds: Seconds since 2001-01-01T00:00:00 on the same clock, without a time
    ///   zone.
    /// - Returns: The day, and the second of the day from 0 to 86,399.
    package static func split(seconds: Int) -> (date: CivilDate, secondOfDay: Int) {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return remainder < 0
            ? (CivilDate(dayNumber: quotient - 1), remainder + 86_400)
            : (CivilDate(dayNumber: quotient), remainder)
    }

    /// The day of the week, 0 for Monday to 6 for Sunday (2001-01-01 was a Monday).
    public var weekday: Int { ((dayNumber % 7) + 7) % 7 }

    /// Returns the number of days of a month.
    ///
    /// - Parameters:
    ///   - month: The month, 1 to 12. Any other number gives 31.
    ///   - year: The year, which decides the length of February.
    /// - Returns: 28 to 31.
    package static func length(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Encoded as text: "2026-10-01". Only years from 0 to 9999 can be decoded.
extension CivilDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = CivilDate(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a calendar day such as 2026-10-01")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

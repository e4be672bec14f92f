/// A day of the Gregorian calendar as a number, without a zone or a clock: `CivilDate(2026, 10, 1)`.
///
/// Plain arithmetic, proleptic in both directions. Where days begin is for calendars to say.
public struct CivilDate: Hashable, Comparable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int

    public init(_ year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads "2026-10-01"; nil for anything else, also for a day that doesn't exist.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy(CivilDate.isDigits),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year, month, day)
        guard isInCalendar else { return nil }
    }

    /// Int takes a sign, which no part of a date has.
    private static func isDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether there is such a day: no 29 February 2023, and no year of more than six digits.
    public var isInCalendar: Bool {
        (-999_999...999_999).contains(year) && (1...12).contains(month)
            && (1...31).contains(day) && CivilDate(dayNumber: dayNumber) == self
    }

    public static func < (a: CivilDate, b: CivilDate) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }
}

// MARK: - Days that can be asked for

extension CivilDate {
    /// The days that a command, an address or a form may name: the years that ISO 8601 writes with
    /// four digits, from the first of our era on.
    public static var askable: ClosedRange<CivilDate> {
        CivilDate(1, 1, 1)...CivilDate(9999, 12, 31)
    }

    /// Why a text is no day that can be asked for.
    public enum AskedTextError: Error, Hashable, Sendable {
        /// It isn't written as a date, or names a day that the calendar doesn't have.
        case notADate
        /// The day is before the first or after the last of ``CivilDate/askable``.
        case outOfRange

        /// What a message says behind the text: "is no date: write it as 2024-03-10."
        public var words: String {
            switch self {
            case .notADate: "is no date: write it as 2024-03-10."
            case .outOfRange:
                "is out of range: choose a day from \(CivilDate.askable.lowerBound) to "
                    + "\(CivilDate.askable.upperBound)."
            }
        }
    }

    /// Reads the day of a question: `CivilDate(asked: "2024-03-10")`.
    ///
    /// - Throws: ``AskedTextError`` for anything else than a day of the calendar in
    ///   ``CivilDate/askable``.
    public init(asked text: String) throws(AskedTextError) {
        guard let day = CivilDate(text) else {
            throw CivilDate.hasOtherYear(text) ? .outOfRange : .notADate
        }
        guard CivilDate.askable.contains(day) else { throw .outOfRange }
        self = day
    }

    /// Whether a text would be a date with four digits in place of its year: "-0001-01-01",
    /// "10000-01-01".
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
    /// ISO 8601: "2026-10-01"; "-0044-03-15" before year 0.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number.magnitude)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(year < 0 ? "-" : "")\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension CivilDate {
    /// Days since 2001-01-01.
    public var dayNumber: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }

    /// The inverse of ``dayNumber``.
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

    /// The day and the second of it at `seconds` since 2001-01-01T00:00:00 on the same clock:
    /// `split(seconds: -1)` is the last second of 2000-12-31.
    public static func split(seconds: Int) -> (date: CivilDate, secondOfDay: Int) {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return remainder < 0
            ? (CivilDate(dayNumber: quotient - 1), remainder + 86_400)
            : (CivilDate(dayNumber: quotient), remainder)
    }

    /// 0 for Monday to 6 for Sunday (2001-01-01 was a Monday).
    public var weekday: Int { ((dayNumber % 7) + 7) % 7 }

    /// How many days a month has.
    public static func length(month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// As text: "2026-10-01".
extension CivilDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = CivilDate(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a day of the calendar, as 2026-10-01")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

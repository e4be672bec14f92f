import HealthEngine

/// Dates as exports print them, read in a few nanoseconds.
///
/// `2024-03-10 08:30:00 +0100` (all versions since iOS 9), `20150616071916-0700` (iOS 8), and the
/// spellings of ISO 8601 that people's own tools write: `T`, fractions, `Z`, `+01:00`.
enum ExportDate {
    /// Milliseconds since 2001-01-01T00:00:00Z and the printed offset in seconds; nil for what is
    /// no date of the calendar.
    static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (milliseconds: Int64, offset: Int)? {
        var reader = DigitReader(bytes)
        guard let year = reader.number(4) else { return nil }
        let isCompact = reader.skip("-") == false
        guard let month = reader.number(2), isCompact || reader.skip("-"),
            let day = reader.number(2), (1...12).contains(month),
            day >= 1, day <= CivilDate.length(month: month, year: year)
        else { return nil }
        if !isCompact { _ = reader.skip(" ") || reader.skip("T") }
        guard let hour = reader.number(2), isCompact || reader.skip(":"),
            let minute = reader.number(2), isCompact || reader.skip(":"),
            let second = reader.number(2), hour < 24, minute < 60, second <= 60,
            let fraction = reader.milliseconds()
        else { return nil }
        _ = reader.skip(" ")
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let days = Int64(CivilDate(year, month, day).dayNumber)
        let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
        return (seconds * 1000 + Int64(fraction), offset)
    }

    /// Reference seconds, or nil.
    static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        parse(bytes).map { Double($0.milliseconds) / 1000 }
    }

    /// The day "2024-03-10" as reference seconds of its midnight in UTC.
    static func day(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var reader = DigitReader(bytes)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
            reader.skip("-"), let day = reader.number(2), reader.isAtEnd,
            (1...12).contains(month), day >= 1, day <= CivilDate.length(month: month, year: year)
        else { return nil }
        return Double(CivilDate(year, month, day).dayNumber) * 86_400
    }
}

extension DigitReader {
    /// A fraction of a second, cut to milliseconds; 0 where there is none.
    fileprivate mutating func milliseconds() -> Int? {
        guard skip(".") || skip(",") else { return 0 }
        guard isAtDigit else { return nil }
        var (value, digits) = (0, 0)
        while isAtDigit, let digit = number(1) {
            if digits < 3 { value = value * 10 + digit }
            digits += 1
        }
        for _ in min(digits, 3)..<3 { value *= 10 }
        return value
    }
}

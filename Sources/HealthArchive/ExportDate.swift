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

/// Fixed-width digits, one after the other.
private struct DigitReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    @inline(__always)
    mutating func number(_ width: Int) -> Int? {
        guard position + width <= bytes.count else { return nil }
        var value = 0
        for _ in 0..<width {
            let digit = Int(bytes[position]) - 48
            guard digit >= 0, digit <= 9 else { return nil }
            value = value * 10 + digit
            position += 1
        }
        return value
    }

    @inline(__always)
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(truncatingIfNeeded: character.value)
        else { return false }
        position += 1
        return true
    }

    /// A fraction of a second, cut to milliseconds; 0 where there is none.
    mutating func milliseconds() -> Int? {
        guard skip(".") || skip(",") else { return 0 }
        var (value, digits) = (0, 0)
        while position < bytes.count, let digit = number(1) {
            if digits < 3 { value = value * 10 + digit }
            digits += 1
            if position < bytes.count, !(48...57).contains(bytes[position]) { break }
        }
        if digits == 0 { return nil }
        for _ in min(digits, 3)..<3 { value *= 10 }
        return value
    }

    /// `+0100`, `+01:00`, `+01`, `Z`; nil for anything else.
    mutating func offset() -> Int? {
        if skip("Z") { return 0 }
        let sign: Int
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(2) else { return nil }
        _ = skip(":")
        let minutes = isAtEnd ? 0 : number(2)
        guard let minutes, hours <= 18, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

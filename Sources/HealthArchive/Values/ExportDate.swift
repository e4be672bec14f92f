import HealthEngine

/// Parses the dates in exports.
///
/// Formats: `2024-03-10 08:30:00 +0100` (iOS 9 and later), `20150616071916-0700` (iOS 8), and the
/// ISO 8601 variants of third-party tools with `T`, fractions of a second, `Z` or `+01:00`.
enum ExportDate {
    /// Returns the milliseconds since 2001-01-01T00:00:00Z and the written offset in seconds east
    /// of UTC; nil if the text is not a valid date. The second 60 is valid, and fractions are
    /// truncated to milliseconds.
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

    /// Returns seconds since 2001-01-01T00:00:00Z; nil if the text is not a valid date.
    static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        parse(bytes).map { Double($0.milliseconds) / 1000 }
    }

    /// Parses a day such as "2024-03-10" and returns its midnight in UTC, in seconds since
    /// 2001-01-01T00:00:00Z; nil if the text is not a valid day.
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
    /// Reads a fraction of a second, truncated to milliseconds; 0 if there is none, nil if no digit
    /// follows the point or comma.
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

/// A parser of dates that caches the last day and offset, which most records share with the one
/// before. Only the format since iOS 9 is cached; ``ExportDate`` parses others.
struct CachedDateParser {
    /// The bytes of a date except its time of day: `2024-03-`, `10`, ` +`, `0100`.
    private struct CacheKey: Equatable {
        var month: UInt64 = 0
        var day: UInt16 = 0
        var sign: UInt16 = 0
        var offset: UInt32 = 0
    }

    private var key = CacheKey()
    /// Midnight of the cached day at the cached offset, in milliseconds since 2001-01-01T00:00:00Z.
    private var midnight: Int64 = 0

    /// Returns seconds since 2001-01-01T00:00:00Z; nil if the text is not a valid date.
    @inline(__always)
    mutating func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard bytes.count == 25, bytes[10] == UInt8(ascii: " "), let start = bytes.baseAddress,
            let time = CachedDateParser.timeOfDay(ByteWord.load(start + 11))
        else { return ExportDate.seconds(bytes) }
        let raw = UnsafeRawPointer(start)
        let key = CacheKey(
            month: raw.loadUnaligned(as: UInt64.self),
            day: raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self),
            sign: raw.loadUnaligned(fromByteOffset: 19, as: UInt16.self),
            offset: raw.loadUnaligned(fromByteOffset: 21, as: UInt32.self))
        if key != self.key {
            guard let (milliseconds, _) = ExportDate.parse(bytes) else { return nil }
            self.key = key
            midnight = milliseconds - time
        }
        return Double(midnight + time) / 1000
    }

    /// Converts the eight bytes of `08:30:00` to milliseconds; nil if they aren't a valid time.
    @inline(__always)
    private static func timeOfDay(_ text: UInt64) -> Int64? {
        // Digits become their values, colons 0. Adding 6 carries digits above 9 into the high four
        // bits.
        let digits = text ^ 0x3030_3A30_303A_3030
        let carried = digits &+ 0x0606_0006_0600_0606
        guard (digits | carried) & 0xF0F0_FFF0_F0FF_F0F0 == 0 else { return nil }
        func number(_ shift: UInt64) -> Int64 {
            Int64(digits >> shift & 0xF) * 10 + Int64(digits >> (shift + 8) & 0xF)
        }
        let (hour, minute, second) = (number(0), number(24), number(48))
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        return (hour * 3600 + minute * 60 + second) * 1000
    }
}

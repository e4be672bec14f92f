import HealthCalendar
import HealthEngine

/// An instant as senders write it, with the offset from UTC of the text.
///
/// The offset is that of the phone when it wrote the text. It isn't evidence of the zone in which
/// a sample was recorded.
struct IntakeDate: Hashable {
    /// The instant, in reference seconds.
    var seconds: Double
    /// The offset from UTC in seconds; nil if the text has none, which is then read as UTC.
    var offset: Int?
    /// Whether the text has a date without a time.
    var isDay = false
}

extension IntakeDate {
    /// Reads a date. These forms are read, in any combination of separators:
    ///
    /// ```
    /// 2026-03-01T08:15:00.250Z       2021-12-24 00:04:00 +0800      2024-09-21 7:57:00 am +10:00
    /// 2024-09-21 7:57 PM +1000       2024-09-21                     1714556800 (Unix seconds)
    /// ```
    /// Spaces can be no-break or thin ones. Before and after noon can be "a.m." and "p.m.", or the
    /// words of several languages. Digits can be Arabic-Indic ones.
    ///
    /// - Parameter text: The text.
    /// - Returns: The date; nil for any other text and for days and times that don't exist.
    static func reading(_ text: String) -> IntakeDate? {
        if let date = PlainDate.reading(text) { return date }
        var scanner = DateScanner(text)
        return scanner.date()
    }

    /// Reads a date from a string, or Unix seconds from a number.
    static func reading(_ value: JSONValue?) -> IntakeDate? {
        switch value {
        case .string(let text): reading(text)
        case .number(let seconds): unix(seconds)
        default: nil
        }
    }

    /// The instant of Unix seconds from year 1 to 9999; nil outside.
    fileprivate static func unix(_ seconds: Double) -> IntakeDate? {
        guard abs(seconds) < 253_402_300_800 else { return nil }
        return IntakeDate(seconds: seconds - unixToReference, offset: nil)
    }

    /// The seconds from 1970-01-01 to 2001-01-01.
    fileprivate static let unixToReference: Double = 978_307_200
}

/// Reads the form that most senders use, without copies of the text:
/// "2026-03-01T08:15:00Z", with or without a decimal fraction and an offset such as "+01:00".
///
/// Each record has two dates, and the general way copies the text several times.
private enum PlainDate {
    /// Returns the date; nil for every other form, and for days and times that don't exist.
    static func reading(_ text: String) -> IntakeDate? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count >= 20, let clock = clock(bytes) else { return nil }
            var place = 19
            var fraction = 0.0
            if bytes[place] == UInt8(ascii: ".") {
                let start = place
                place += 1
                while place < bytes.count, isDigit(bytes[place]) { place += 1 }
                guard place - start > 1, place - start <= 19,
                    let value = Double("0" + String(decoding: bytes[start..<place], as: UTF8.self))
                else { return nil }
                fraction = value
            }
            guard let offset = offset(bytes[place...]) else { return nil }
            // In the order of the general way, so that both give the same double.
            let time = Double(clock.minutes * 60) + (Double(clock.seconds) + fraction)
            return IntakeDate(
                seconds: clock.midnight + time - Double(offset), offset: offset)
        }
    }

    /// The parts of the first 19 bytes, "2026-03-01T08:15:00".
    private static func clock(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (midnight: Double, minutes: Int, seconds: Int)? {
        guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), year >= 1, hour < 24, minute < 60, second < 60
        else { return nil }
        let date = CivilDate(year, month, day)
        guard date.isInCalendar else { return nil }
        let midnight = Double(date.dayNumber - DateScanner.referenceDay) * 86_400
        return (midnight, hour * 60 + minute, second)
    }

    /// Returns the seconds of "Z" or "+01:00".
    private static func offset(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let first = bytes.startIndex
        if bytes.count == 1, bytes[first] == UInt8(ascii: "Z") { return 0 }
        guard bytes.count == 6, bytes[first + 3] == UInt8(ascii: ":"),
            let hours = number(bytes[first + 1..<first + 3]),
            let minutes = number(bytes[first + 4..<first + 6]), hours <= 18, minutes < 60
        else { return nil }
        switch bytes[first] {
        case UInt8(ascii: "+"): return hours * 3600 + minutes * 60
        case UInt8(ascii: "-"): return -(hours * 3600 + minutes * 60)
        default: return nil
        }
    }

    private static func number(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var value = 0
        for byte in bytes {
            guard isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

/// Reads the parts of a date from a normalized text.
private struct DateScanner {
    private var rest: Substring.UnicodeScalarView
    private let raw: String

    init(_ raw: String) {
        var text = ""
        for scalar in raw.unicodeScalars {
            switch scalar {
            case "\u{202F}", "\u{A0}", "\u{2009}", "\t": text += " "
            case "\u{660}"..."\u{669}": text += String(scalar.value - 0x660)
            case "\u{6F0}"..."\u{6F9}": text += String(scalar.value - 0x6F0)
            default: text.unicodeScalars.append(scalar)
            }
        }
        let words = text.split(separator: " ")
        rest = Substring(words.joined(separator: " ")).unicodeScalars
        self.raw = raw
    }

    mutating func date() -> IntakeDate? {
        guard let year = digits(4...4), take("-"), let month = digits(1...2), take("-"),
            let day = digits(1...2), (1...9999).contains(year)
        else { return JSONReader.number(raw).flatMap(IntakeDate.unix) }
        let date = CivilDate(year, month, day)
        guard date.isInCalendar else { return nil }
        let midnight = Double(date.dayNumber - Self.referenceDay) * 86_400
        if rest.isEmpty { return IntakeDate(seconds: midnight, offset: nil, isDay: true) }
        guard take("T") || take("t") || take(" "), let time = time() else { return nil }
        _ = take(" ")
        var offset: Int?
        if !rest.isEmpty {
            guard let read = readOffset() else { return nil }
            offset = read
        }
        guard rest.isEmpty else { return nil }
        return IntakeDate(seconds: midnight + time - Double(offset ?? 0), offset: offset)
    }

    /// The day number of 2001-01-01.
    fileprivate static let referenceDay = CivilDate(2001, 1, 1).dayNumber

    /// Reads a time of day with its half-day word. Returns seconds from midnight.
    private mutating func time() -> Double? {
        guard var hour = digits(1...2), take(":"), let minute = digits(2...2), minute < 60 else {
            return nil
        }
        var second = 0.0
        if take(":") {
            // A leap second is the first second of the next minute.
            guard let whole = digits(2...2), whole <= 60 else { return nil }
            second = Double(whole)
            if take(".") || take(",") {
                guard let fraction = fraction() else { return nil }
                second += fraction
            }
        }
        if let half = halfDay() {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + half
        }
        guard hour < 24 || (hour == 24 && minute == 0 && second == 0) else { return nil }
        return Double(hour * 3600 + minute * 60) + second
    }

    /// Reads "am", "p.m." or a word of another language, and returns 0 or 12; nil without one.
    private mutating func halfDay() -> Int? {
        var candidate = rest
        if candidate.first == " " { candidate = candidate.dropFirst() }
        let lower = String(Substring(candidate)).lowercased()
        for (word, hours) in Self.halfDays where lower.hasPrefix(word) {
            rest = candidate.dropFirst(word.unicodeScalars.count)
            return hours
        }
        return nil
    }

    /// Longer words first, since some begin with others.
    private static let halfDays: [(String, Int)] = [
        ("a.m.", 0), ("p.m.", 12), ("a. m.", 0), ("p. m.", 12), ("am", 0), ("pm", 12),
        ("上午", 0), ("下午", 12), ("오전", 0), ("오후", 12), ("午前", 0), ("午後", 12),
        ("π.μ.", 0), ("μ.μ.", 12), ("ص", 0), ("م", 12), ("vorm.", 0), ("nachm.", 12),
        ("fm", 0), ("em", 12), ("ap.", 0), ("ip.", 12), ("de.", 0), ("du.", 12),
    ]

    private mutating func readOffset() -> Int? {
        if take("Z") || take("z") { return 0 }
        if takeWord("GMT") || takeWord("UTC"), rest.isEmpty { return 0 }
        let sign: Int
        if take("+") {
            sign = 1
        } else if take("-") || take("\u{2212}") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = digits(2...2) else { return nil }
        _ = take(":")
        let minutes = rest.isEmpty ? 0 : digits(2...2)
        guard let minutes, hours <= 18, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    // MARK: - Characters

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard rest.starts(with: word.unicodeScalars) else { return false }
        rest = rest.dropFirst(word.unicodeScalars.count)
        return true
    }

    /// Reads as many digits as there are, up to the greatest number in `counts`.
    private mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
        let found = rest.prefix(counts.upperBound).prefix { ("0"..."9").contains($0) }
        guard counts.contains(found.count) else { return nil }
        rest = rest.dropFirst(found.count)
        return Int(String(Substring(found)))
    }

    /// Reads the digits after a decimal point, up to 18.
    private mutating func fraction() -> Double? {
        let found = rest.prefix { ("0"..."9").contains($0) }
        guard (1...18).contains(found.count) else { return nil }
        rest = rest.dropFirst(found.count)
        return Double("0." + String(Substring(found)))
    }
}

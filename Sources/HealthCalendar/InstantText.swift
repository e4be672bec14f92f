import HealthEngine

/// Exact instants as text: RFC 3339 in UTC with as many decimals as the number needs.
///
/// ```
/// InstantText.text(794_044_800.25)                        // "2026-03-01T08:00:00.25Z"
/// InstantText.seconds("2026-03-01T08:00:00.25Z")          // 794_044_800.25
/// ```
/// Reading a written text gives the same double, bit by bit. The exception is -0, which gives 0.
/// The days and digits are computed as decimals: adding a fraction to a double would round twice.
package enum InstantText {
    /// Returns the text of an instant.
    ///
    /// - Parameter seconds: Reference seconds.
    /// - Returns: The text; nil for years outside 1 to 9999 and for numbers that aren't finite.
    package static func text(_ seconds: Double) -> String? {
        guard range.contains(seconds), let whole = Int(exactly: seconds.rounded(.down)) else {
            return nil
        }
        let (day, time) = CivilDate.split(seconds: whole)
        var fraction = decimals(of: seconds)
        if seconds < 0, !fraction.isEmpty { fraction = complement(fraction) }
        var text = ""
        text.reserveCapacity(24 + fraction.count)
        text += day.description
        text += "T" + two(time / 3600) + ":" + two(time / 60 % 60) + ":" + two(time % 60)
        if !fraction.isEmpty { text += "." + String(decoding: fraction, as: UTF8.self) }
        return text + "Z"
    }

    /// Reads an instant of RFC 3339 with any number of decimals, correctly rounded.
    ///
    /// - Parameter text: The text. An offset from UTC is required: "Z" or "+01:00".
    /// - Returns: Reference seconds; nil for any other text, and for days and times that don't
    ///   exist. Second 60 is read as the first second of the next minute.
    package static func seconds(_ text: String) -> Double? {
        var scanner = InstantScanner(rest: Array(text.utf8)[...])
        guard let (whole, fraction) = scanner.instant() else { return nil }
        let seconds: Double? =
            if whole >= 0 || fraction.isEmpty {
                Double("\(whole)." + String(decoding: fraction + [zero], as: UTF8.self))
            } else {
                Double("-\(-whole - 1)." + String(decoding: complement(fraction), as: UTF8.self))
            }
        return seconds.flatMap { range.contains($0) ? $0 : nil }
    }

    /// From year 1 to year 9999.
    private static let range = -63_113_904_000.0..<252_423_993_600.0
    private static let zero = UInt8(ascii: "0")

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns the shortest digits after the decimal point that give the same double; empty for a
    /// whole number.
    private static func decimals(of number: Double) -> [UInt8] {
        if number == number.rounded() { return [] }
        let text = Array("\(number.magnitude)".utf8)
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        var digits = Array(mantissa[point...].dropFirst())
        // Only a magnitude below 1 has an exponent here: "1.5e-07" has the digits 00000015.
        if mantissa.count < text.count,
            let power = Int(String(decoding: text[(mantissa.count + 1)...], as: UTF8.self))
        {
            digits = Array(repeating: zero, count: -power - 1) + mantissa[..<point] + digits
        }
        while digits.last == zero { digits.removeLast() }
        return digits
    }

    /// Returns 1 minus a fraction, both as digits after the decimal point. The fraction isn't 0.
    private static func complement(_ digits: [UInt8]) -> [UInt8] {
        var digits = digits
        while digits.last == zero { digits.removeLast() }
        for index in digits.indices {
            let nine = index == digits.count - 1 ? 10 : 9
            digits[index] = zero + UInt8(nine) - (digits[index] - zero)
        }
        return digits
    }
}

/// Reads the parts of an instant.
private struct InstantScanner {
    var rest: ArraySlice<UInt8>

    /// Returns whole reference seconds, rounded down, and the digits of the fraction without
    /// trailing zeros.
    mutating func instant() -> (whole: Int, fraction: [UInt8])? {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"),
            let day = digits(2), year >= 1, take("T") || take("t"), let hour = digits(2),
            take(":"), let minute = digits(2), take(":"), let second = digits(2)
        else { return nil }
        let date = CivilDate(year, month, day)
        guard date.isInCalendar, hour < 24, minute < 60, second <= 60 else { return nil }
        var fraction: [UInt8] = []
        if take(".") {
            fraction = Array(rest.prefix(while: isDigit))
            guard (1...400).contains(fraction.count) else { return nil }
            rest = rest.dropFirst(fraction.count)
        }
        guard let offset = offset(), rest.isEmpty else { return nil }
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        return (
            date.dayNumber * 86_400 + hour * 3600 + minute * 60 + second - offset, fraction
        )
    }

    /// Reads the offset from UTC in seconds.
    private mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("-") ? -1 : 1
        guard sign == -1 || take("+"), let hours = digits(2), take(":"), let minutes = digits(2),
            hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func digits(_ count: Int) -> Int? {
        let found = rest.prefix(count)
        guard found.count == count, found.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return found.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}

import Foundation
import HealthEngine

/// Texts for numbers, independent of the locale. On pages, separators are those of the reader; see
/// ``PageSettings/current``.
package enum NumberText {
    /// Returns a number with thousands separators: "8,214" or "5.21", rounded half away from zero.
    ///
    /// Numbers from 10^15 on are in scientific notation with up to three digits, "1.25 × 10^19".
    /// Infinity is "∞" or "-∞", and NaN is "–".
    package static func grouped(_ value: Double, digits: Int = 0) -> String {
        guard value.magnitude < largest else { return large(value) }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return grouped(scaled: (value * scale).rounded(), digits: digits)
    }

    /// Returns a number from its multiple of the last decimal place: "52.10" for 5210 with two
    /// places.
    ///
    /// - Parameter value: A whole number. One from 2^53 on is written with fewer decimal places.
    package static func grouped(scaled value: Double, digits: Int) -> String {
        var (value, digits) = (value, digits)
        while digits > 0, value.magnitude >= largestExactInteger {
            value = (value / 10).rounded()
            digits -= 1
        }
        guard value.magnitude < largestExactInteger, digits > 0 || value.magnitude < largest else {
            return large(value)
        }
        var text = String(UInt64(clamping: value.magnitude))
        if text.count <= digits {
            text = String(repeating: "0", count: digits + 1 - text.count) + text
        }
        let fraction = text.suffix(digits)
        var integer = String(text.dropLast(digits))
        var index = integer.count - 3
        while index > 0 {
            integer.insert(",", at: integer.index(integer.startIndex, offsetBy: index))
            index -= 3
        }
        return PageSettings.current.number(
            (value < 0 ? "-" : "") + integer + (digits > 0 ? "." + fraction : ""))
    }

    /// Numbers from this one on are in scientific notation.
    private static let largest = 1e15
    private static let largestExactInteger = 0x1p53

    /// Returns scientific notation: "1.25 × 10^19".
    private static func large(_ value: Double) -> String {
        if value.isNaN { return "–" }
        let sign = value < 0 ? "-" : ""
        guard value.isFinite else { return sign + "∞" }
        var (mantissa, power) = (value.magnitude, 0)
        while mantissa >= 10 { (mantissa, power) = (mantissa / 10, power + 1) }
        var hundredths = Int(clamping: (mantissa * 100).rounded())
        if hundredths >= 1000 { (hundredths, power) = (hundredths / 10, power + 1) }
        var digits = grouped(scaled: Double(hundredths), digits: 2)
        while digits.hasSuffix("0") || digits.hasSuffix(".") {
            if digits.removeLast() == "." { break }
        }
        return "\(sign)\(digits) × 10^\(power)"
    }

    /// Returns hours and minutes, rounded to minutes: "7:32" for 27,120 seconds. From 10^15 hours
    /// on it returns only hours, in scientific notation.
    package static func hours(_ seconds: Double) -> String {
        guard (seconds / 3600).magnitude < largest else { return large(seconds / 3600) }
        let minutes = Int(clamping: (seconds / 60).rounded())
        let (hours, remainder) = minutes.magnitude.quotientAndRemainder(dividingBy: 60)
        return (minutes < 0 ? "-" : "") + grouped(Double(hours)) + ":" + (remainder < 10 ? "0" : "")
            + String(remainder)
    }

    /// Rounds shares to whole numbers that add up to a whole total, with the largest remainder
    /// method.
    ///
    /// Each result differs from its share by at most one. `total` must be the sum of the shares,
    /// rounded; otherwise the results may not add up to it. Shares too large for exact whole
    /// numbers are not changed. `apportioned([0.5, 0.5, 1], to: 2)` is `[1, 0, 1]`.
    package static func apportioned(_ shares: [Double], to total: Double) -> [Double] {
        var floors = shares.map { $0.rounded(.down) }
        let remainder = Int(clamping: total - floors.reduce(0, +))
        let order = shares.indices.sorted {
            let (a, b) = (
                shares[$0] - shares[$0].rounded(.down), shares[$1] - shares[$1].rounded(.down)
            )
            return a != b ? a > b : $0 < $1
        }
        for index in order.prefix(max(0, remainder)) { floors[index] += 1 }
        return floors
    }
}

extension NumberText {
    /// Removes rounding errors of a unit conversion by rounding to 13 significant digits: 73.9 for
    /// 73.90000000000002. Returns the value unchanged if that would change it by more than four
    /// units in the last place.
    package static func roundedConversion(_ value: Double) -> Double {
        guard value.isFinite, let rounded = Double(String(format: "%.12e", value)),
            (rounded - value).magnitude <= 4 * value.ulp
        else { return value }
        return rounded
    }
}

/// Returns a count with its noun: "1 day", "3 days".
package func counted(_ count: Int, _ one: String, _ many: String) -> String {
    NumberText.grouped(Double(count)) + " " + (count == 1 ? one : many)
}

/// A sparkline: numbers as block characters of eight heights, with a dot for values that are
/// missing or not finite.
package enum Sparkline {
    private static let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Returns a sparkline; `text([0, 4, nil, 8], from: 0, to: 8)` is "▁▅·█".
    package static func text(_ values: [Double?], from low: Double, to high: Double) -> String {
        String(
            values.map { value in
                guard let value, value.isFinite else { return "·" }
                // Halved, because the difference of two large numbers may overflow.
                let share = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5
                return heights[max(0, min(7, Int(clamping: share * 8)))]
            })
    }
}

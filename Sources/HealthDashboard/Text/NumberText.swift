import HealthEngine

/// Numbers as text, the same on every machine whatever its language.
package enum NumberText {
    /// For people: "8,214" or "5.21", rounded half away from zero. Numbers from 10^15 on are
    /// written with three digits and a power, "1.25 × 10^19"; what overflowed is "∞", and what is
    /// no number "–".
    package static func grouped(_ value: Double, digits: Int = 0) -> String {
        guard value.magnitude < largest else { return large(value) }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return grouped(scaled: (value * scale).rounded(), digits: digits)
    }

    /// "52.10" of 5210 with two digits.
    ///
    /// - Parameter value: A whole number; a larger one than a double holds exactly is written with
    ///   fewer digits.
    package static func grouped(scaled value: Double, digits: Int) -> String {
        var (value, digits) = (value, digits)
        while digits > 0, value.magnitude >= mostExact {
            value = (value / 10).rounded()
            digits -= 1
        }
        guard value.magnitude < mostExact, digits > 0 || value.magnitude < largest else {
            return large(value)
        }
        var text = String(UInt64(clamping: value.magnitude))
        if text.count <= digits {
            text = String(repeating: "0", count: digits + 1 - text.count) + text
        }
        let fraction = text.suffix(digits)
        var whole = String(text.dropLast(digits))
        var index = whole.count - 3
        while index > 0 {
            whole.insert(",", at: whole.index(whole.startIndex, offsetBy: index))
            index -= 3
        }
        return (value < 0 ? "-" : "") + whole + (digits > 0 ? "." + fraction : "")
    }

    /// The first number whose digits tell a person less than its power.
    private static let largest = 1e15
    private static let mostExact = 0x1p53

    /// "1.25 × 10^19".
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

    /// "7:32" of 27,120 seconds; hours alone where there are 10^15 and more.
    package static func hours(_ seconds: Double) -> String {
        guard (seconds / 3600).magnitude < largest else { return large(seconds / 3600) }
        let minutes = Int(clamping: (seconds / 60).rounded())
        let (hours, rest) = minutes.magnitude.quotientAndRemainder(dividingBy: 60)
        return (minutes < 0 ? "-" : "") + grouped(Double(hours)) + ":" + (rest < 10 ? "0" : "")
            + String(rest)
    }

    /// Whole shares of a whole total that differ from the true ones by less than one and add up.
    /// Shares too large for a double to count by ones are left as they are.
    ///
    /// `apportioned([0.5, 0.5, 1], to: 2)` is `[1, 0, 1]`.
    package static func apportioned(_ shares: [Double], to total: Double) -> [Double] {
        var whole = shares.map { $0.rounded(.down) }
        let rest = Int(clamping: total - whole.reduce(0, +))
        let order = shares.indices.sorted {
            let (a, b) = (
                shares[$0] - shares[$0].rounded(.down), shares[$1] - shares[$1].rounded(.down)
            )
            return a != b ? a > b : $0 < $1
        }
        for index in order.prefix(max(0, rest)) { whole[index] += 1 }
        return whole
    }
}

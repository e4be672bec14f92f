/// Numbers as text, the same on every machine whatever its language.
package enum NumberText {
    /// For people: "8,214" or "5.21", rounded half away from zero.
    package static func grouped(_ value: Double, digits: Int = 0) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return value.isFinite ? "\(value)" : "" }
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return grouped(scaled: Int((value * scale).rounded()), digits: digits)
    }

    /// "52.10" of 5210 with two digits.
    package static func grouped(scaled value: Int, digits: Int) -> String {
        var text = String(value.magnitude)
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

    /// "7:32" of 27,120 seconds.
    package static func hours(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        return grouped(Double(minutes / 60)) + ":" + (minutes % 60 < 10 ? "0" : "")
            + String(minutes % 60)
    }

    /// Whole shares of a whole total that differ from the true ones by less than one and add up.
    ///
    /// `apportioned([0.5, 0.5, 1], to: 2)` is `[1, 0, 1]`.
    package static func apportioned(_ shares: [Double], to total: Int) -> [Int] {
        var whole = shares.map { Int($0.rounded(.down)) }
        let rest = total - whole.reduce(0, +)
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

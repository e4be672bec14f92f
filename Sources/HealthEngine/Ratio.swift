// Rounding and remainders of doubles are C's; the import is what links them.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A positive or negative fraction of two doubles, kept in whole numbers where the definition is.
///
/// A pound is 45359237/100000 g: neither 453.59237 nor 0.45359237 has an exact double, but both
/// terms here have. Products cancel crosswise before they multiply, so terms stay small.
struct Ratio: Hashable, Sendable {
    var numerator: Double
    var denominator: Double

    static let zero = Ratio(0, 1)
    static let one = Ratio(1, 1)

    init(_ numerator: Double, _ denominator: Double) {
        let divisor = Ratio.divisor(numerator, denominator)
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    var value: Double { numerator / denominator }

    var inverse: Ratio { Ratio(denominator, numerator) }

    /// Ten to a power between -15 and 15, exactly.
    static func powerOfTen(_ exponent: Int) -> Ratio {
        var power = 1.0
        for _ in 0..<abs(exponent) { power *= 10 }
        return exponent < 0 ? Ratio(1, power) : Ratio(power, 1)
    }

    static func * (a: Ratio, b: Ratio) -> Ratio {
        let first = Ratio(a.numerator, b.denominator)
        let second = Ratio(b.numerator, a.denominator)
        return Ratio(
            first.numerator * second.numerator, first.denominator * second.denominator)
    }

    static func / (a: Ratio, b: Ratio) -> Ratio { a * b.inverse }

    static func - (a: Ratio, b: Ratio) -> Ratio {
        Ratio(
            a.numerator * b.denominator - b.numerator * a.denominator,
            a.denominator * b.denominator)
    }

    func raised(to power: Int) -> Ratio {
        var result = Ratio.one
        for _ in 0..<abs(power) { result = result * self }
        return power < 0 ? result.inverse : result
    }

    /// The greatest common divisor of two whole doubles; 1 where there is none to speak of.
    ///
    /// The remainder of two doubles is exact whatever their size, so Euclid's method is too.
    private static func divisor(_ a: Double, _ b: Double) -> Double {
        guard a.isFinite, b.isFinite, a == a.rounded(), b == b.rounded(), a != 0, b != 0 else {
            return 1
        }
        var (larger, smaller) = (abs(a), abs(b))
        while smaller != 0 {
            (larger, smaller) = (smaller, larger.truncatingRemainder(dividingBy: smaller))
        }
        return larger
    }
}

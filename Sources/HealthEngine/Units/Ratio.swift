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
/// terms here have. Products cancel crosswise before they multiply, so terms stay small; where they
/// pass 2^53 each product rounds to the nearest double, and far beyond a power of two is split off,
/// so that no power of a unit overflows.
struct Ratio: Hashable, Sendable {
    var numerator: Double
    var denominator: Double
    /// Of two; 0 unless a term has left 2^±500.
    var exponent: Int

    static let zero = Ratio(0, 1)
    static let one = Ratio(1, 1)
    static let litersPerCubicMeter = Ratio(1000, 1)

    init(_ numerator: Double, _ denominator: Double, exponent: Int = 0) {
        let divisor = Ratio.divisor(numerator, denominator)
        let (above, aboveExponent) = Ratio.split(numerator / divisor)
        let (below, belowExponent) = Ratio.split(denominator / divisor)
        self.numerator = above
        self.denominator = below
        self.exponent = above == 0 ? 0 : exponent + aboveExponent - belowExponent
    }

    /// The nearest double; infinite or 0 beyond them.
    var value: Double {
        let significand = numerator / denominator
        return exponent == 0
            ? significand : Double(sign: .plus, exponent: exponent, significand: significand)
    }

    var inverse: Ratio { Ratio(denominator, numerator, exponent: -exponent) }

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
            first.numerator * second.numerator, first.denominator * second.denominator,
            exponent: a.exponent + b.exponent + first.exponent + second.exponent)
    }

    static func / (a: Ratio, b: Ratio) -> Ratio { a * b.inverse }

    static func - (a: Ratio, b: Ratio) -> Ratio {
        if b.numerator == 0 { return a }
        guard a.exponent == 0 && b.exponent == 0 else { return Ratio(a.value - b.value, 1) }
        return Ratio(
            a.numerator * b.denominator - b.numerator * a.denominator,
            a.denominator * b.denominator)
    }

    /// - Complexity: O(log power).
    func raised(to power: Int) -> Ratio {
        var (result, square, rest) = (Ratio.one, self, power.magnitude)
        while rest > 0 {
            if rest & 1 == 1 { result = result * square }
            rest >>= 1
            if rest > 0 { square = square * square }
        }
        return power < 0 ? result.inverse : result
    }

    /// A term and the power of two that is taken out of it, exactly.
    private static func split(_ term: Double) -> (Double, Int) {
        guard term.isNormal, abs(term.exponent) > 500 else { return (term, 0) }
        let power = term.exponent
        return (Double(sign: .plus, exponent: -power, significand: term), power)
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

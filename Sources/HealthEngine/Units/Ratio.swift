// The rounding and remainder functions of doubles are in the C library, which this import links.
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A fraction of two doubles, which are integers where the definition of the unit allows it.
///
/// A pound is 45359237/100000 g. 453.59237 has no exact double, but both terms of the fraction have
/// one. Common divisors are cancelled before a multiplication, so terms stay small. Where terms
/// exceed 2^53, each product is rounded to the nearest double. Outside 2^±500, a power of two is
/// stored in ``exponent``, so that no power of a unit overflows.
struct Ratio: Hashable, Sendable {
    var numerator: Double
    var denominator: Double
    /// The exponent of a power of two by which the fraction is multiplied; 0 unless a term was
    /// outside 2^±500.
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

    /// The ratio as a double; infinite or 0 if it is out of range.
    var value: Double {
        let significand = numerator / denominator
        return exponent == 0
            ? significand : Double(sign: .plus, exponent: exponent, significand: significand)
    }

    var inverse: Ratio { Ratio(denominator, numerator, exponent: -exponent) }

    /// Returns a power of ten. It is exact for exponents from -22 to 22; prefixes need -15 to 12.
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

    /// Returns a power of the ratio.
    ///
    /// - Complexity: O(log |power|) multiplications.
    func raised(to power: Int) -> Ratio {
        var (result, square, rest) = (Ratio.one, self, power.magnitude)
        while rest > 0 {
            if rest & 1 == 1 { result = result * square }
            rest >>= 1
            if rest > 0 { square = square * square }
        }
        return power < 0 ? result.inverse : result
    }

    /// Splits a term outside 2^±500 into a significand and an exponent of two, exactly.
    private static func split(_ term: Double) -> (Double, Int) {
        guard term.isNormal, abs(term.exponent) > 500 else { return (term, 0) }
        let power = term.exponent
        return (Double(sign: .plus, exponent: -power, significand: term), power)
    }

    /// Returns the greatest common divisor of two integral doubles; 1 if a term is 0 or not
    /// integral.
    ///
    /// The remainder of two doubles is always exact, so the Euclidean algorithm is exact too.
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

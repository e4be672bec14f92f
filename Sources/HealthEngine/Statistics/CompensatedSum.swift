/// A compensated sum of doubles, for means with a smaller rounding error than that of a plain sum.
///
/// `total` is the plain sum, `lost` the sum of its rounding errors (Knuth’s two-sum). Together they
/// have about twice the precision of a double. So a mean that a double can represent is normally
/// exact, whatever the order of the terms. A total outside the range of doubles stays infinite.
struct CompensatedSum {
    private var total = 0.0
    private var lost = 0.0

    init() {}

    init(_ total: Double, lost: Double = 0) { (self.total, self.lost) = (total, lost) }

    @inline(__always)
    mutating func add(_ term: Double) {
        let sum = total + term
        let added = sum - total
        lost += (total - (sum - added)) + (term - added)
        total = sum
    }

    /// Returns the quotient of two sums. The rounding errors of both are taken into account.
    func divided(by divisor: CompensatedSum) -> Double {
        let (high, low) = parts
        let (divisorHigh, divisorLow) = divisor.parts
        let quotient = high / divisorHigh
        let rest = high.addingProduct(-quotient, divisorHigh) + (low - quotient * divisorLow)
        let nearer = quotient + rest / divisorHigh
        return nearer.isFinite ? nearer : quotient
    }

    /// The sum rounded to a double, and the remaining error. If the sum is not finite, the plain
    /// sum and 0.
    private var parts: (high: Double, low: Double) {
        let high = total + lost
        guard high.isFinite else { return (total, 0) }
        return (high, lost - (high - total))
    }
}

/// The sum of products of values and weights, and the sum of weights, both compensated as in
/// ``CompensatedSum``.
///
/// One SIMD vector holds both sums, so that each addition needs half as many instructions.
struct WeightedSums {
    /// The sum of products of values and weights, and the sum of weights.
    private var total = SIMD2(0.0, 0.0)
    private var lost = SIMD2(0.0, 0.0)

    @inline(__always)
    mutating func add(_ value: Double, weight: Double) {
        let product = value * weight
        let term = SIMD2(product, weight)
        let sum = total + term
        let added = sum - total
        lost += (total - (sum - added)) + (term - added)
        total = sum
        // Computes the rounding error of the product (Dekker’s product with Veltkamp’s split). A
        // fused multiply-add would be faster, but the oldest supported processors have none, and
        // its emulation is slower.
        let factors = SIMD2(value, weight)
        let scaled = factors * 134_217_729
        let high = scaled - (scaled - factors)
        let low = factors - high
        // If both factors have few significant bits, the product is exact.
        if low.x == 0 && low.y == 0 { return }
        lost.x +=
            low.x * low.y - (((product - high.x * high.y) - low.x * high.y) - high.x * low.y)
    }

    /// Adds a sum of products and a sum of weights, both exact, if no partial sum of their terms and
    /// the earlier ones can have been rounded. The result is then that of adding the terms one by
    /// one.
    ///
    /// - Parameters:
    ///   - products: The sum of products of multiples of ``ExactSums/unit``.
    ///   - weight: The sum of their weights, which are not negative.
    ///   - largest: The largest magnitude of a value.
    /// - Returns: Whether the sums were added.
    mutating func addExactly(_ products: Double, weight: Double, largest: Double) -> Bool {
        guard ExactSums.isMultiple(total.y), ExactSums.isMultiple(total.x / ExactSums.unit),
            abs(total.x) + 4 * largest * weight < ExactSums.limit,
            total.y + 4 * weight < ExactSums.limit, largest < ExactSums.limit
        else { return false }
        total += SIMD2(products, weight)
        return true
    }

    /// The weighted mean; not finite if the weights add up to 0.
    var mean: Double {
        CompensatedSum(total.x, lost: lost.x).divided(by: CompensatedSum(total.y, lost: lost.y))
    }
}

/// A range of doubles whose sums and products are exact.
///
/// Heart rates and whole seconds are multiples of ``unit``. So their products are multiples of its
/// square, and as long as sums are below ``limit``, they are exact in any order of additions.
enum ExactSums {
    /// The unit of values and weights.
    static let unit = 0x1p-10
    /// A double can represent all multiples of the square of ``unit`` up to twice this limit.
    static let limit = 0x1p+32
    /// Added to a double and subtracted again, this number rounds it to a multiple of ``unit``.
    private static let rounding = 0x1.8p+42

    /// Returns bits that are 0 if a number is a multiple of ``unit``, not negative zero, and below
    /// ``limit``; for larger numbers the bits have no meaning.
    @inline(__always)
    static func rest(_ numbers: SIMD2<Double>) -> SIMD2<UInt64> {
        let rounding = SIMD2(repeating: rounding)
        return unsafeBitCast((numbers + rounding) - rounding, to: SIMD2<UInt64>.self)
            ^ unsafeBitCast(numbers, to: SIMD2<UInt64>.self)
    }

    /// Returns whether a number is a multiple of ``unit``, and its magnitude is below 2 to the power
    /// of 41.
    static func isMultiple(_ number: Double) -> Bool {
        abs(number) < 0x1p+41 && (number + rounding) - rounding == number
    }
}

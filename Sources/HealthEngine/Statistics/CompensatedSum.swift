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

    /// The weighted mean; not finite if the weights add up to 0.
    var mean: Double {
        CompensatedSum(total.x, lost: lost.x).divided(by: CompensatedSum(total.y, lost: lost.y))
    }
}

/// A sum of doubles that keeps what rounding takes from it, so that a quotient of two such sums is
/// rounded once.
///
/// `total` is the sum as plain addition gives it, `lost` the sum of its rounding errors (Knuth’s
/// two-sum). Both together are good to about 100 bits: a mean that a double can hold is found exactly,
/// in whichever order its terms come. A total beyond the range of doubles stays infinite.
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

    /// The quotient of two sums, rounded once.
    func divided(by divisor: CompensatedSum) -> Double {
        let (high, low) = parts
        let (divisorHigh, divisorLow) = divisor.parts
        let quotient = high / divisorHigh
        let rest = high.addingProduct(-quotient, divisorHigh) + (low - quotient * divisorLow)
        let nearer = quotient + rest / divisorHigh
        return nearer.isFinite ? nearer : quotient
    }

    /// The rounded sum, and what is missing from it; nothing once that is beyond the range of doubles.
    private var parts: (high: Double, low: Double) {
        let high = total + lost
        guard high.isFinite else { return (total, 0) }
        return (high, lost - (high - total))
    }
}

/// The sum of values by weight, and of the weights, both as ``CompensatedSum``.
///
/// The two go through every operation side by side: half the instructions.
struct WeightedSums {
    /// Values times weights, and weights.
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
        // Dekker’s product by Veltkamp’s halves. A processor’s fused multiply would do, but the oldest
        // ones meant here have none, and a call for each sample takes longer.
        let factors = SIMD2(value, weight)
        let scaled = factors * 134_217_729
        let high = scaled - (scaled - factors)
        let low = factors - high
        // Numbers of few digits lose nothing.
        if low.x == 0 && low.y == 0 { return }
        lost.x +=
            low.x * low.y - (((product - high.x * high.y) - low.x * high.y) - high.x * low.y)
    }

    /// The mean by weight; not finite without weight.
    var mean: Double {
        CompensatedSum(total.x, lost: lost.x).divided(by: CompensatedSum(total.y, lost: lost.y))
    }
}

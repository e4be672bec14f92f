/// The difference of the averages of two groups of days, with its 95 % interval.
///
/// Days resemble their neighbours, so they are worth fewer independent ones: with the correlation *r* of
/// successive days, *n* days are worth n·(1 − r)/(1 + r) (Bartlett 1935). With these numbers the interval
/// is that of Welch's *t*-test.
package struct MeanDifference: Hashable, Sendable, Codable {
    /// One group.
    package struct Group: Hashable, Sendable, Codable {
        /// The number of days with a value.
        package var days: Int
        /// Their average.
        package var average: Double
    }

    package var first: Group
    package var second: Group
    /// The average of the second group minus that of the first.
    package var difference: Double
    /// The ends of the 95 % interval of the difference.
    package var low: Double, high: Double

    /// The minimum number of days with a value in each group.
    package static let minimumDays = 7

    /// Whether the interval excludes zero.
    package var isClear: Bool { low > 0 || high < 0 }

    /// Creates the difference; nil if a group has fewer than seven values.
    ///
    /// - Parameters:
    ///   - first: The values of the first group in order of time; nil for a day without data. Values that
    ///     aren't finite count as nil.
    ///   - second: The values of the second group.
    package init?(_ first: [Double?], _ second: [Double?]) {
        guard let a = Moments(first), let b = Moments(second) else { return nil }
        let difference = b.average - a.average
        let (errorA, errorB) = (a.variance / a.effectiveDays, b.variance / b.effectiveDays)
        let error = (errorA + errorB).squareRoot()
        // The degrees of freedom of Welch and Satterthwaite.
        let parts =
            errorA * errorA / max(a.effectiveDays - 1, 1)
            + errorB * errorB / max(b.effectiveDays - 1, 1)
        let freedom = parts > 0 ? (errorA + errorB) * (errorA + errorB) / parts : 1e9
        let margin = StudentT.quantile975(freedom) * error
        guard difference.isFinite, margin.isFinite else { return nil }
        self.first = Group(days: a.days, average: a.average)
        self.second = Group(days: b.days, average: b.average)
        self.difference = difference
        (low, high) = (difference - margin, difference + margin)
    }
}

/// The average and variance of days, and how many independent ones they are worth.
struct Moments {
    var days: Int
    var average: Double
    var variance: Double
    /// At least 2, at most ``days``.
    var effectiveDays: Double

    init?(_ values: [Double?]) {
        let values = values.map { value in value.flatMap { $0.isFinite ? $0 : nil } }
        let known = values.compactMap(\.self)
        guard known.count >= MeanDifference.minimumDays else { return nil }
        let count = Double(known.count)
        let average = known.reduce(0) { $0 + $1 / count }
        days = known.count
        self.average = average
        variance = known.reduce(0) { $0 + ($1 - average) * ($1 - average) } / (count - 1)
        let r = Self.successiveCorrelation(values, average, variance)
        effectiveDays = max(2, count * (1 - r) / (1 + r))
    }

    /// Returns the correlation of successive days, from 0 to 0.9. A negative one counts as 0, which makes
    /// the interval longer rather than shorter.
    static func successiveCorrelation(
        _ values: [Double?], _ average: Double, _ variance: Double
    ) -> Double {
        var (sum, pairs) = (0.0, 0)
        for (value, next) in zip(values, values.dropFirst()) {
            guard let value, let next else { continue }
            sum += (value - average) * (next - average)
            pairs += 1
        }
        guard pairs > 1, variance > 0 else { return 0 }
        let r = sum / Double(pairs) / variance
        return r.isFinite ? min(max(r, 0), 0.9) : 0
    }
}

/// Student's *t* distribution.
enum StudentT {
    /// Returns the 97.5 % quantile, with an error below 1 % from three degrees of freedom on, by the
    /// expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5).
    static func quantile975(_ degreesOfFreedom: Double) -> Double {
        let (z, n) = (1.959_963_984_540_054, max(degreesOfFreedom, 1))
        if n < 3 { return n < 2 ? 12.706 : 4.303 }
        let z2 = z * z
        let first = z * (z2 + 1) / 4
        let second = z * (5 * z2 * z2 + 16 * z2 + 3) / 96
        let third = z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / 384
        return z + first / n + second / (n * n) + third / (n * n * n)
    }
}

import Foundation

/// Whether two types go together on the same days: Spearman's rank correlation with its 95 % interval.
///
/// The interval is Fisher's, with the standard error of Bonett and Wright (2000), for the number of days
/// that they are worth if successive days resemble each other (Bartlett 1935).
package struct RankCorrelation: Hashable, Sendable, Codable {
    /// The number of days with both values.
    package var days: Int
    /// From -1, always opposite, to 1, always alike.
    package var coefficient: Double
    /// The ends of the 95 % interval.
    package var low: Double, high: Double

    /// The minimum number of days with both values.
    package static let minimumDays = 14

    /// Whether the interval excludes zero.
    package var isClear: Bool { low > 0 || high < 0 }

    /// Creates the correlation of the values of the same days, in order of time; nil with fewer than 14
    /// days with both, or if all values of one are equal.
    package init?(_ first: [Double?], _ second: [Double?]) {
        let pairs = zip(first, second).map { a, b -> (Double, Double)? in
            guard let a, let b, a.isFinite, b.isFinite else { return nil }
            return (a, b)
        }
        let known = pairs.compactMap(\.self)
        guard known.count >= Self.minimumDays else { return nil }
        let (ranksA, ranksB) = (Self.ranks(known.map(\.0)), Self.ranks(known.map(\.1)))
        guard let r = Self.correlation(ranksA, ranksB) else { return nil }
        let product = Self.successive(ranksA) * Self.successive(ranksB)
        let count = Double(known.count)
        let effective = max(5, count * (1 - product) / (1 + product))
        let z = atanh(min(max(r, -0.999_999), 0.999_999))
        let margin = 1.959_964 * ((1 + r * r / 2) / (effective - 3)).squareRoot()
        days = known.count
        coefficient = r
        (low, high) = (tanh(z - margin), tanh(z + margin))
    }

    /// Returns the ranks of values from 1; equal values have the average of their ranks.
    static func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            for place in start..<end { ranks[order[place]] = Double(start + 1 + end) / 2 }
            start = end
        }
        return ranks
    }

    private static func correlation(_ a: [Double], _ b: [Double]) -> Double? {
        let count = Double(a.count)
        let (meanA, meanB) = (a.reduce(0, +) / count, b.reduce(0, +) / count)
        var (ab, aa, bb) = (0.0, 0.0, 0.0)
        for (x, y) in zip(a, b) {
            ab += (x - meanA) * (y - meanB)
            aa += (x - meanA) * (x - meanA)
            bb += (y - meanB) * (y - meanB)
        }
        return aa > 0 && bb > 0 ? ab / (aa * bb).squareRoot() : nil
    }

    private static func successive(_ ranks: [Double]) -> Double {
        let count = Double(ranks.count)
        let mean = ranks.reduce(0, +) / count
        let variance = ranks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        return Moments.successiveCorrelation(ranks, mean, variance)
    }
}

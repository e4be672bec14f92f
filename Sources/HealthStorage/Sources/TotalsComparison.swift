package import HealthEngine

/// The merged sums of a type beside Apple's totals, by day. The difference shows how far the merge
/// agrees with Apple's (Semantics §1.3).
package struct TotalsComparison: Sendable {
    /// A day for which both numbers are known to be complete.
    package struct Day: Hashable, Sendable {
        /// The start of the day, in reference seconds.
        package var start: Double
        /// The end of the day (exclusive), in reference seconds.
        package var end: Double
        /// Apple's total.
        package var apple: Double
        /// The merged sum of the stored samples.
        package var own: Double

        /// The difference from Apple's total as a share of it: 0.01 if the merged sum is 1 % larger.
        /// If Apple's total is 0, the difference is 0 or 1.
        package var difference: Double {
            apple == 0 ? (own == 0 ? 0 : 1) : (own - apple) / apple
        }
    }

    /// The type.
    package var type: SampleType
    /// The unit of all amounts.
    package var unit: String
    /// The compared days, in order.
    package var days: [Day]
    /// The number of days with Apple's total for which samples may be missing. They aren't compared.
    package var incompleteDays: Int

    /// Returns the share of the days whose difference is at most `tolerance`; nil without days.
    package func share(within tolerance: Double) -> Double? {
        if days.isEmpty { return nil }
        // A difference such as 1005 from 1000 isn't exactly 0.005.
        let limit = tolerance + 1e-12
        let count = days.filter { abs($0.difference) <= limit }.count
        return Double(count) / Double(days.count)
    }

    /// The average of the absolute differences; nil without days.
    package var meanDifference: Double? {
        days.isEmpty ? nil : days.reduce(0) { $0 + abs($1.difference) } / Double(days.count)
    }

    /// The largest difference, with its sign; nil without days.
    package var worstDifference: Double? { worst(1).first?.difference }

    /// Returns the days with the largest differences, the worst first. Days that agree are left out
    /// unless there is no other.
    package func worst(_ count: Int) -> [Day] {
        let ordered = days.sorted {
            (abs($1.difference), $1.start) < (abs($0.difference), $0.start)
        }
        let differing = ordered.filter { $0.difference != 0 }
        return Array((differing.isEmpty ? ordered.prefix(1) : differing[...]).prefix(count))
    }
}

import HealthEngine

/// A typical range: from the 10th to the 90th percentile of values, with their median, usually those of
/// earlier days.
///
/// ```swift
/// TypicalRange(of: (1...11).map(Double.init))  // 2 to 10, of 11 days
/// ```
public struct TypicalRange: Hashable, Sendable, Codable {
    /// The 10th percentile.
    public var low: Double
    /// The 90th percentile.
    public var high: Double
    /// The number of values that the range is computed from: one for each day (or hour, week, month
    /// or year) with data.
    public var days: Int
    /// The median; nil if it is not known.
    public var median: Double?

    public init(low: Double, high: Double, days: Int, median: Double? = nil) {
        self.low = low
        self.high = high
        self.days = days
        self.median = median
    }

    /// The minimum number of values for a range.
    package static let minimumDays = 7

    /// Creates the range of values, with linear interpolation between closest ranks.
    ///
    /// The result is nil with fewer than seven finite values.
    ///
    /// - Parameter values: The values, in any order; non-finite ones are skipped.
    /// - Complexity: O(n log n).
    public init?(of values: [Double]) {
        let values = values.filter(\.isFinite).sorted()
        guard values.count >= Self.minimumDays else { return nil }
        func percentile(_ share: Double) -> Double {
            let place = share * Double(values.count - 1)
            let below = Int(clamping: place)
            let above = min(below + 1, values.count - 1)
            let part = place - Double(below)
            let value = values[below] + part * (values[above] - values[below])
            // The difference of two finite values may overflow.
            return value.isFinite ? value : values[below] * (1 - part) + values[above] * part
        }
        self.init(
            low: percentile(0.1), high: percentile(0.9), days: values.count, median: percentile(0.5)
        )
    }

    /// Returns whether a value is in the range, both bounds included.
    ///
    /// - Parameter value: The value.
    /// - Returns: Whether it is in the range.
    public func contains(_ value: Double) -> Bool { low <= value && value <= high }
}

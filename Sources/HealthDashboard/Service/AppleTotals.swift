import Foundation

/// Reads Apple's totals, which an OpenHealthKit store can have and HealthKit can't.
package struct AppleTotals: Sendable {
    /// Returns the interval that contains all totals of a metric; nil if there are none.
    package var extent: @Sendable (Metric) async throws -> DateInterval?
    /// Returns the totals that answer buckets of at most a day, by the start of the bucket and in
    /// the metric's unit. The dates are the ascending boundaries of the buckets.
    package var inPlace: @Sendable (Metric, [Date]) async throws -> [Date: AppleTotal]

    package init(
        extent: @escaping @Sendable (Metric) async throws -> DateInterval?,
        inPlace: @escaping @Sendable (Metric, [Date]) async throws -> [Date: AppleTotal]
    ) {
        self.extent = extent
        self.inPlace = inPlace
    }
}

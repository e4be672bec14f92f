import HealthCalendar
import HealthEngine
import HealthStorage

extension StatsResult {
    /// Reads the statistics of a query as `stats` answers: merged values, and Apple's totals where
    /// no samples cover them.
    ///
    /// - Parameters:
    ///   - step: The length of a bucket.
    ///   - unit: The unit of the values; nil for the type's own.
    ///   - checkEdges: Receives the borders of the buckets before they are computed, to refuse too
    ///     many.
    /// - Throws: ``UsageError`` for a range of too many buckets, `StoreError` if the store can't be
    ///   read, and errors of `checkEdges`.
    init(
        reading store: SampleStore, _ query: SampleQuery, by step: Step, unit: String?,
        rules: StatisticsRules, calendar: CalendarBuckets,
        checkEdges: ([Double]) throws -> Void = { _ in }
    ) throws {
        let totals = try StatsTotals(store, query, by: step, rules, calendar)
        let edges = try BucketRange(query, by: step, calendar, totals.range).edges(in: store)
        try checkEdges(edges)
        try self.init(
            store, query, over: edges, unit: unit, rules: rules, calendar: calendar)
        self.step = step
        try add(totals)
    }
}

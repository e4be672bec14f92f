import GRDB
public import HealthCalendar
public import HealthEngine

/// The merged intervals of one local day.
public struct MergedDay: Sendable {
    /// The start (inclusive), in seconds since the reference date. The first day starts no earlier
    /// than the query's range.
    public var start: Double
    /// The end (exclusive), in seconds since the reference date. The last day ends no later than
    /// the query's range.
    public var end: Double
    /// The merged intervals, in order of start. Their values add up to the day's sum, except for
    /// rounding.
    public var intervals: [Explanation.Segment]
}

extension SampleStore {
    /// Calls `body` with the merged intervals of a cumulative type, day by day, from one consistent
    /// state of the file. An open bound of the range is determined before. Days without merged
    /// intervals are left out.
    ///
    /// The values of a day's intervals add up to the day's sum in
    /// ``statistics(_:over:unit:rules:)``, except for rounding. An interval across midnight is
    /// divided.
    ///
    /// - Parameters:
    ///   - query: The type, the range, and optionally the sources and the visibility.
    ///   - calendar: The calendar and time zone of the days.
    ///   - unit: The unit of the values; nil for the type's display unit.
    ///   - rules: The rules of the merge.
    ///   - body: Receives each day, in order.
    /// - Throws: ``StoreError`` if the type isn't cumulative, the unit doesn't fit it, or no source
    ///   or several have a name, and errors of `body`.
    /// - Complexity: O(n log n) for n samples, independent of how far the range extends beyond
    ///   them. Memory: the samples of a month.
    public func forEachMergedDay(
        _ query: SampleQuery, in calendar: CalendarBuckets, unit: String? = nil,
        rules: StatisticsRules = StatisticsRules(), _ body: (MergedDay) throws -> Void
    ) throws {
        let type = query.type
        guard type.aggregation == .cumulative else {
            throw StoreError(.nothingToMerge(type: type.name))
        }
        let target = try SampleStore.unit(unit, of: type).1
        guard let range = try range(of: query) else { return }
        let rules = rules.bounded(by: range.to)
        try read { db in
            let table = try sourceTable(db)
            let order = table.order(try SourceTable.settings(db, type: type.code))
            let conversions = SampleStore.conversions(table.origins, to: target)
            var position = range.from
            while position < range.to {
                let edges = try dayEdges(from: position, of: query, to: range.to, calendar)
                guard edges.count > 1, let end = edges.last else { return }
                var month = query
                (month.from, month.to) = (edges[0], end)
                let batch = try month.batch(reach: rules.gapTolerance, table, db)
                if batch.samples.isEmpty {
                    // Skip to the next sample, because years may lie between.
                    (month.from, month.to) = (end, range.to)
                    guard let next = try month.firstStart(table, db) else { return }
                    position = max(next, end)
                    continue
                }
                position = end
                let timeline = Timeline(
                    batch, conversions: conversions, order: order, rules: rules, values: .amounts)
                for (start, end) in zip(edges, edges.dropFirst()) {
                    let intervals = timeline.mergedIntervals(from: start, to: end)
                    if intervals.isEmpty { continue }
                    try body(
                        MergedDay(
                            start: start, end: end,
                            intervals: intervals.map {
                                .init(
                                    start: $0.start, end: $0.end,
                                    source: batch.sources[Int($0.source)], value: $0.value)
                            }))
                }
            }
        }
    }

    /// Returns the query's range, with the extent of the samples in place of an open bound; nil
    /// if there are no samples or the range is empty.
    private func range(of query: SampleQuery) throws -> (from: Double, to: Double)? {
        var (from, to) = (query.from, query.to)
        if from == -.infinity || to == .infinity {
            let everything = SampleQuery(query.type, sources: query.sources)
            guard let extent = try extent(of: everything) else { return nil }
            if from == -.infinity { from = extent.first }
            // The range is half-open, so an end equal to the last time would exclude it.
            if to == .infinity { to = extent.last.nextUp }
        }
        return from < to ? (from, to) : nil
    }

    /// Returns the boundaries of the local days in the next 31 times 24 hours, clipped to the
    /// query's range.
    private func dayEdges(
        from position: Double, of query: SampleQuery, to end: Double,
        _ calendar: CalendarBuckets
    ) throws -> [Double] {
        try calendar.edges(
            from: position, to: min(end, position + 31 * 86_400), by: .day,
            within: (query.from, query.to))
    }
}

extension SampleQuery {
    /// Returns the start of the query's first sample; nil if there is none.
    fileprivate func firstStart(_ table: SourceTable, _ db: Database) throws -> Double? {
        var start: Double?
        try SampleReader(db, self, table).forEach { row in
            start = row.sample.start
            return .stop
        }
        return start
    }
}

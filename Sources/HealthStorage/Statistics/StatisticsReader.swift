import GRDB
import HealthEngine

/// The calculation of statistics over buckets from one state of the file.
struct StatisticsReader {
    private let db: Database
    private let query: SampleQuery
    private let edges: [Double]
    private let plan: Plan
    private let rules: StatisticsRules
    private let unit: String
    private let table: SourceTable
    private let excluded: [ExcludedSource]

    /// The parameters of a sweep.
    private struct Plan {
        var aggregation: SampleType.Aggregation
        var origins: [Origin]
        var sources: Int
        var conversions: [UnitConversion?]
        var order: SourceOrder
        /// Whether samples of each origin take part; nil if all do.
        var shownOrigins: [Bool]?
        var rules: StatisticsRules
        var window: Int

        func sweep(over edges: [Double]) -> StatisticsSweep {
            StatisticsSweep(
                of: aggregation, over: edges, origins: origins, sources: sources,
                conversions: conversions, order: order, shownOrigins: shownOrigins, rules: rules,
                window: window)
        }
    }

    init(
        _ query: SampleQuery, _ aggregation: SampleType.Aggregation, over edges: [Double],
        unit: (symbol: String, target: HealthUnit), rules: StatisticsRules, _ table: SourceTable,
        _ db: Database
    ) throws {
        self.db = db
        self.query = query
        self.edges = edges
        self.rules = rules.bounded(by: edges.last ?? .infinity)
        self.unit = unit.symbol
        self.table = table
        let settings = try SourceTable.settings(db, type: query.type.code)
        let order = table.order(settings)
        plan = Plan(
            aggregation: aggregation, origins: table.origins, sources: table.entries.count,
            conversions: SampleStore.conversions(table.origins, to: unit.target), order: order,
            shownOrigins: try query.shownOrigins(table), rules: self.rules,
            window: query.windowSize)
        excluded = table.excluded(
            settings, order, seenWith: query.visibility[query.type.code])
    }

    var inputs: StatisticsCache.Inputs {
        StatisticsCache.Inputs(
            sourceOfOrigin: table.origins.map(\.source), shownOrigins: plan.shownOrigins,
            conversions: plan.conversions,
            ranks: plan.order.ranks(count: table.entries.count))
    }

    /// Returns the result of a full calculation.
    func result() throws -> StatisticsResult {
        let (buckets, skipped) = try buckets(over: edges)
        return result(buckets, skipped)
    }

    /// Updates an earlier result by recalculating only the buckets near edits.
    ///
    /// - Returns: The updated result; nil if everything has to be recalculated, because samples
    ///   were skipped or half of the buckets or more are near edits.
    func result(
        after known: StatisticsCache.Entry, edited spans: [ClosedRange<Double>]
    ) throws -> StatisticsResult? {
        var buckets = known.result.buckets
        let reach = rules.gapTolerance
        let near = spans.map { ($0.lowerBound - reach)...($0.upperBound + reach) }
        let runs = edges.runs(near: near)
        if runs.isEmpty && spans.isEmpty { return result(buckets, known.result.skipped) }
        // Skipped samples are only counted for all buckets together.
        guard known.result.skipped.isEmpty, runs.reduce(0, { $0 + $1.count }) < edges.count / 2
        else { return nil }
        for run in runs {
            let part = Array(edges[run.lowerBound...run.upperBound])
            let (updated, skipped) = try self.buckets(over: part)
            guard skipped.isEmpty else { return nil }
            buckets.replace(from: edges[run.lowerBound], to: edges[run.upperBound], with: updated)
        }
        return result(buckets, SkippedSamples())
    }

    /// Calculates buckets. Reads segments, unless the type can have series or the visibility of one
    /// source begins earlier than that of others; then rows.
    private func buckets(
        over edges: [Double]
    ) throws -> (statistics: [Statistics], skipped: SkippedSamples) {
        let reaching = query.reaching(edges, beyond: rules.gapTolerance)
        let grant = query.visibility[query.type.code].withoutObjects
        if grant.isHidden { return ([], SkippedSamples()) }
        var series = try SeriesExpansion(db, query.type)
        if !series.isNeeded, grant.exempt == nil {
            let reader = SegmentReader(db, reaching.starting(from: grant.earliest), table)
            return try reader.mapping { try reader.statistics(plan.sweep(over: edges)) }
        }
        var sweep = plan.sweep(over: edges)
        try SampleReader(db, reaching, table, .measurements).forEach { row in
            try series.pass(row.sample) { sweep.add($0) }
            return .next
        }
        try series.finish { sweep.add($0) }
        return sweep.finish()
    }

    private func result(_ buckets: [Statistics], _ skipped: SkippedSamples) -> StatisticsResult {
        StatisticsResult(
            type: query.type, unit: unit, buckets: buckets, sources: table.sources,
            skipped: skipped, excluded: excluded, ranking: plan.order.ranking)
    }
}

extension SampleQuery {
    /// Returns the query without samples that start before a time.
    fileprivate func starting(from earliest: Double?) -> SampleQuery {
        guard let earliest, bounds.start.lower?.time ?? -.infinity < earliest else { return self }
        var query = self
        query.bounds.start.lower = TimeBounds.Limit(earliest, isIncluded: true)
        return query
    }
}

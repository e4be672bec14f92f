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

    /// The parameters of the sweep, which can be used on any thread.
    private struct Plan: Sendable {
        var aggregation: SampleType.Aggregation
        var origins: [Origin]
        var sources: Int
        var conversions: [UnitConversion?]
        var order: SourceOrder
        var rules: StatisticsRules
        var window: Int

        func sweep(over edges: [Double]) -> StatisticsSweep {
            StatisticsSweep(
                of: aggregation, over: edges, origins: origins, sources: sources,
                conversions: conversions, order: order, rules: rules, window: window)
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
            rules: self.rules, window: query.windowSize)
        excluded = table.excluded(
            settings, order, seenWith: query.visibility[query.type.code])
    }

    var inputs: StatisticsCache.Inputs {
        StatisticsCache.Inputs(
            sourceOfOrigin: table.origins.map(\.source), conversions: plan.conversions,
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

    /// Calculates buckets. Reads segments if all sources and samples of a type without details are
    /// included, otherwise rows.
    private func buckets(
        over edges: [Double]
    ) throws -> (statistics: [Statistics], skipped: SkippedSamples) {
        let reaching = query.reaching(edges, beyond: rules.gapTolerance)
        var series = try SeriesExpansion(db, query.type)
        if query.sources.isEmpty, query.visibility[query.type.code] == .all,
            !series.isNeeded
        {
            return try SegmentReader(db, reaching, table).mapping {
                try segmentBuckets(over: edges, reaching)
            }
        }
        var sweep = plan.sweep(over: edges)
        try SampleReader(db, reaching, table, .measurements).forEach { row in
            try series.pass(row.sample) { sweep.add($0) }
            return .next
        }
        try series.finish { sweep.add($0) }
        return sweep.finish()
    }

    private func segmentBuckets(
        over edges: [Double], _ reaching: SampleQuery
    ) throws -> (statistics: [Statistics], skipped: SkippedSamples) {
        // Only a merge takes long enough for a second thread; other statistics are faster than the
        // reading.
        let merges = plan.aggregation == .cumulative || rules.discreteMerge == .bySourceOrder
        if merges,
            let found = try ParallelSegmentSweep.statistics(
                query, over: edges, beyond: rules.gapTolerance, table, db,
                sweep: plan.sweep(over:))
        {
            return found
        }
        var sweep = plan.sweep(over: edges)
        try SegmentReader(db, reaching, table).read(into: &sweep)
        return sweep.finish()
    }

    private func result(_ buckets: [Statistics], _ skipped: SkippedSamples) -> StatisticsResult {
        StatisticsResult(
            type: query.type, unit: unit, buckets: buckets, sources: table.sources,
            skipped: skipped, excluded: excluded, ranking: plan.order.ranking)
    }
}

import GRDB
import HealthEngine

/// One look at the file that answers a question about buckets of time.
struct StatisticsReading {
    private let db: Database
    private let question: SampleQuestion
    private let edges: [Double]
    private let aggregation: SampleType.Aggregation
    private let rules: StatisticsRules
    private let unit: String
    private let table: SourceTable
    private let order: SourceOrder
    private let conversions: [UnitConversion?]
    private let excluded: [ExcludedSource]

    init(
        _ question: SampleQuestion, _ aggregation: SampleType.Aggregation, over edges: [Double],
        unit: (symbol: String, target: HealthUnit), rules: StatisticsRules, _ table: SourceTable,
        _ db: Database
    ) throws {
        self.db = db
        self.question = question
        self.edges = edges
        self.aggregation = aggregation
        self.rules = rules.bounded(by: edges.last ?? .infinity)
        self.unit = unit.symbol
        self.table = table
        let settings = try SourceTable.settings(db, type: question.type.code)
        order = table.order(settings)
        conversions = SampleStore.conversions(table.origins, to: unit.target)
        excluded = table.excluded(
            settings, order, seenWith: question.visibility[question.type.code])
    }

    var circumstances: StatisticsMemo.Circumstances {
        StatisticsMemo.Circumstances(
            sourceOfOrigin: table.origins.map(\.source), conversions: conversions,
            ranks: order.ranks(count: table.entries.count))
    }

    /// The answer from all samples.
    func answer() throws -> StatisticsAnswer {
        let (buckets, skipped) = try buckets(over: edges)
        return answer(buckets, skipped)
    }

    /// An earlier answer, brought up to date by looking only where something was edited since.
    ///
    /// - Returns: nil if that takes looking at everything.
    func answer(
        after known: StatisticsMemo.Entry, edited spans: [ClosedRange<Double>]
    ) throws -> StatisticsAnswer? {
        var buckets = known.answer.buckets
        let reach = rules.gapTolerance
        let near = spans.map { ($0.lowerBound - reach)...($0.upperBound + reach) }
        let runs = edges.runs(near: near)
        if runs.isEmpty && spans.isEmpty { return answer(buckets, known.answer.skipped) }
        // What was passed over is counted for all buckets together.
        guard known.answer.skipped.isEmpty, runs.reduce(0, { $0 + $1.count }) < edges.count / 2
        else { return nil }
        for run in runs {
            let part = Array(edges[run.lowerBound...run.upperBound])
            let (fresh, skipped) = try self.buckets(over: part)
            guard skipped.isEmpty else { return nil }
            buckets.replace(from: edges[run.lowerBound], to: edges[run.upperBound], with: fresh)
        }
        return answer(buckets, SkippedSamples())
    }

    private func buckets(
        over edges: [Double]
    ) throws -> (statistics: [Statistics], skipped: SkippedSamples) {
        var sweep = StatisticsSweep(
            of: question.type.code, aggregation, over: edges, origins: table.origins,
            sources: table.entries.count, conversions: conversions, order: order, rules: rules,
            window: question.windowSize)
        try question.reaching(edges, beyond: rules.gapTolerance).sweep(into: &sweep, table, db)
        return sweep.finish()
    }

    private func answer(_ buckets: [Statistics], _ skipped: SkippedSamples) -> StatisticsAnswer {
        StatisticsAnswer(
            type: question.type, unit: unit, buckets: buckets, sources: table.sources,
            skipped: skipped, excluded: excluded, ranking: order.ranking)
    }
}

import HealthEngine

@testable import HealthStorage

extension SampleStore {
    /// Returns the engine's statistics over all samples of a type, read row by row into memory.
    func atOnce(
        _ question: SampleQuery, _ edges: [Double], _ rules: StatisticsRules
    ) throws -> (
        quantities: [Statistics], categories: [CategoryStatistics], skipped: SkippedSamples
    ) {
        let batch = try keeping(question)
        let touching = try keeping(question.reaching(edges, beyond: rules.gapTolerance))
        let order = try read { db in
            let settings = try SourceTable.settings(db, type: question.type.code)
            return try SourceTable(db).order(settings)
        }
        var rules = rules
        rules.horizon = min(rules.horizon, edges.last ?? .infinity)
        guard let style = question.type.aggregation else {
            let times = batch.categoryStatistics(over: edges, order: order, rules: rules)
            return ([], times, SkippedSamples())
        }
        let unit = try HealthUnit(question.type.displayUnit ?? "")
        let conversions = SampleStore.conversions(batch.origins, to: unit)
        return (
            batch.statistics(
                of: style, over: edges, conversions: conversions, order: order, rules: rules),
            [], touching.skippedSamples(conversions: conversions, order: order, rules: rules)
        )
    }

    private func keeping(_ question: SampleQuery) throws -> SampleBatch {
        var plain = question
        plain.bounds = .unbounded
        var batch = try samples(plain)
        batch.samples.removeAll {
            !question.bounds.start.contains($0.start) || !question.bounds.end.contains($0.end)
        }
        return batch
    }
}

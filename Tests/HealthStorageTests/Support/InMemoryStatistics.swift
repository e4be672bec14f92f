import HealthEngine
import Testing

@testable import HealthStorage

extension SampleStore {
    /// Returns the engine's statistics over all samples of a type, read row by row into memory.
    func statisticsInMemory(
        _ query: SampleQuery, _ edges: [Double], _ rules: StatisticsRules
    ) throws -> (
        quantities: [Statistics], categories: [CategoryStatistics], skipped: SkippedSamples
    ) {
        let batch = try samplesInMemory(query)
        let touching = try samplesInMemory(query.reaching(edges, beyond: rules.gapTolerance))
        let order = try read { db in
            let settings = try SourceTable.settings(db, type: query.type.code)
            return try SourceTable(db).order(settings)
        }
        var rules = rules
        rules.horizon = min(rules.horizon, edges.last ?? .infinity)
        guard let style = query.type.aggregation else {
            let times = batch.categoryStatistics(over: edges, order: order, rules: rules)
            return ([], times, SkippedSamples())
        }
        let unit = try HealthUnit(query.type.displayUnit ?? "")
        let conversions = SampleStore.conversions(batch.origins, to: unit)
        return (
            batch.statistics(
                of: style, over: edges, conversions: conversions, order: order, rules: rules),
            [], touching.skippedSamples(conversions: conversions, order: order, rules: rules)
        )
    }

    /// Returns the engine's statistics over the samples that match a request, read row by row into
    /// memory, in the type's display unit.
    func statisticsInMemory(
        _ request: SampleRequest, _ edges: [Double], _ rules: StatisticsRules,
        _ visibility: Visibility
    ) throws -> [Statistics] {
        let aggregation = try #require(request.type.aggregation)
        // Of the rows, only the sequence numbers are used, because objects have other indices.
        let matching = try objects([request], visibility: visibility)
        let sequences = Set(matching.batch.samples.prefix(matching.count).map(\.sequence))
        var batch = try samples(SampleQuery(request.type))
        batch.samples.removeAll { !sequences.contains($0.sequence) }
        let order = try read { db in
            try SourceTable(db).order(SourceTable.settings(db, type: request.type.code))
        }
        var rules = rules
        rules.horizon = min(rules.horizon, edges.last ?? .infinity)
        let unit = try HealthUnit(request.type.displayUnit ?? "")
        return batch.statistics(
            of: aggregation, over: edges,
            conversions: SampleStore.conversions(batch.origins, to: unit), order: order,
            rules: rules)
    }

    private func samplesInMemory(_ query: SampleQuery) throws -> SampleBatch {
        var unbounded = query
        unbounded.bounds = .unbounded
        var batch = try samples(unbounded)
        batch.samples.removeAll {
            !query.bounds.start.contains($0.start) || !query.bounds.end.contains($0.end)
        }
        return batch
    }
}

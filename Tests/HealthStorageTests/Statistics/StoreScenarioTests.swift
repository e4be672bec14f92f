import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// The scenarios of Tests/Scenarios, written to a store and queried from it.
@Suite("scenarios give what their files expect, through the store")
struct StoreScenarioTests {
    static func scenarios(_ folder: String) throws -> [Scenario] {
        try Scenario.all(in: ProjectFiles.scenarios.appendingPathComponent(folder))
            .filter { scenario in scenario.conversions.allSatisfy { $0 == .identity } }
    }

    private func type(_ kind: Scenario.Kind) -> SampleType {
        switch kind {
        case .quantity(.cumulative): .steps
        case .quantity(.discreteArithmetic): .bodyMass
        case .quantity(.discreteTemporallyWeighted): .heartRate
        case .quantity(.discreteEquivalentContinuousLevel): .sound
        case .category: .sleep
        }
    }

    @Test("of local days, with boundaries from the calendar", arguments: try scenarios("days"))
    func days(_ scenario: Scenario) throws {
        let request = try #require(scenario.calendar, "\(scenario.path): no “buckets” line")
        try expectAgreement(scenario, over: try request.edges())
    }

    @Test("of the merge, in windows of two samples", arguments: try scenarios("merge"))
    func merge(_ scenario: Scenario) throws {
        try expectAgreement(scenario, over: scenario.edges, windowSize: 2)
    }

    private func expectAgreement(
        _ scenario: Scenario, over edges: [Double], windowSize: Int = 100_000
    ) throws {
        let type = type(scenario.kind)
        let file = try TemporaryStore()
        var batch = scenario.batch
        for index in batch.samples.indices { batch.samples[index].type = type.code }
        for index in batch.origins.indices { batch.origins[index].unit = type.displayUnit }
        try file.add(batch, [type.identifier])
        let store = try file.open()
        let names = scenario.order.ranking.map { batch.sources[Int($0)].bundleIdentifier }
        let stored = try Set(store.sources(of: nil).map(\.bundleIdentifier))
        try store.setOrder(of: type, to: names.filter(stored.contains))
        // This also includes sources that the import excluded because of day totals.
        for name in stored {
            let source = batch.sources.firstIndex { $0.bundleIdentifier == name }
            let isExcluded = source.map { scenario.order.excluded.contains(Int32($0)) } ?? false
            try store.set(isExcluded ? .excluded : .included, of: name, in: type)
        }
        var rules = scenario.rules
        rules.separation = .bySource
        var query = SampleQuery(type)
        query.windowSize = windowSize
        let results: [ScenarioResult]
        if type.kind == .category {
            let result = try store.categoryStatistics(query, over: edges, rules: rules)
            results = result.buckets.map { bucket in
                var bucket = bucket
                bucket.bySource = bucket.bySource.map { renumbered($0, result.sources, batch) }
                return ScenarioResult(bucket)
            }
        } else {
            let result = try store.statistics(query, over: edges, rules: rules)
            #expect(result.skipped.unconvertible.isEmpty)
            results = result.buckets.map { bucket in
                var bucket = bucket
                bucket.bySource = bucket.bySource.map { renumbered($0, result.sources, batch) }
                return ScenarioResult(bucket)
            }
        }
        for failure in scenario.failures(results) { Issue.record("\(failure)") }
        let backward = batch.samples.contains { $0.end < $0.start }
        #expect(
            try store.check().map(\.invariant)
                == (backward ? ["samples end no earlier than they start"] : []),
            "\(scenario.path)")
    }

    /// Converts source indices. A store numbers sources as first seen, a scenario in order of rank.
    private func renumbered<Values>(
        _ values: [Int32: Values], _ sources: [Source], _ batch: SampleBatch
    ) -> [Int32: Values] {
        Dictionary(
            values.compactMap { index, value in
                batch.sources.firstIndex(of: sources[Int(index)]).map { (Int32($0), value) }
            }, uniquingKeysWith: { first, _ in first })
    }
}

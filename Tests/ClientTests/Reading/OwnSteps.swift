import Foundation
import HealthKit

/// An app's own steps among those of all sources, found in the ways that apps use.
struct OwnSteps: Sendable {
    let healthStore: HKHealthStore
    private let type = HKQuantityType(.stepCount)

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    /// Returns samples selected by the store.
    func selected() async throws -> [UUID] {
        try await samples(HKQuery.predicateForObjects(from: HKSource.default())).map(\.uuid)
    }

    /// Returns samples filtered from all results.
    func filteredBySource() async throws -> [UUID] {
        try await samples(nil).filter { $0.sourceRevision.source == HKSource.default() }
            .map(\.uuid)
    }

    /// Returns samples filtered by bundle identifier. On a phone `Bundle.main.bundleIdentifier` is
    /// equal.
    func filteredByIdentifier() async throws -> [UUID] {
        try await samples(nil).filter {
            $0.sourceRevision.source.bundleIdentifier == HKSource.default().bundleIdentifier
        }.map(\.uuid)
    }

    /// Finds the app among the sources of all steps.
    func ownSources(_ done: @escaping @Sendable ([HKSource]) -> Void) {
        let query = HKSourceQuery(sampleType: type, samplePredicate: nil) { _, sources, _ in
            let own = (sources ?? []).filter {
                $0.bundleIdentifier == HKSource.default().bundleIdentifier
            }
            done(Array(own))
        }
        healthStore.execute(query)
    }

    /// Returns the sum of the app's own steps, including duplicates of other sources.
    func ownSum() async throws -> Double? {
        let query = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: type), options: [.cumulativeSum, .separateBySource])
        let statistics = try await query.result(for: healthStore)
        return statistics?.sumQuantity(for: .default())?.doubleValue(for: .count())
    }

    private func samples(_ predicate: NSPredicate?) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: type, predicate: predicate)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: healthStore)
    }
}

import Foundation
import HealthKit

/// The app's own steps among everybody's, in the ways apps find them.
struct OwnSteps: Sendable {
    let healthStore: HKHealthStore
    private let type = HKQuantityType(.stepCount)

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    /// Selected by the store.
    func selected() async throws -> [UUID] {
        try await samples(HKQuery.predicateForObjects(from: HKSource.default())).map(\.uuid)
    }

    /// Sorted out of all that came.
    func sortedOut() async throws -> [UUID] {
        try await samples(nil).filter { $0.sourceRevision.source == HKSource.default() }
            .map(\.uuid)
    }

    /// Sorted out by the bundle identifier. On a phone `Bundle.main.bundleIdentifier` says the same.
    func sortedOutByIdentifier() async throws -> [UUID] {
        try await samples(nil).filter {
            $0.sourceRevision.source.bundleIdentifier == HKSource.default().bundleIdentifier
        }.map(\.uuid)
    }

    /// The app among the sources of all steps.
    func ownSources(_ done: @escaping @Sendable ([HKSource]) -> Void) {
        let query = HKSourceQuery(sampleType: type, samplePredicate: nil) { _, sources, _ in
            let own = (sources ?? []).filter {
                $0.bundleIdentifier == HKSource.default().bundleIdentifier
            }
            done(Array(own))
        }
        healthStore.execute(query)
    }

    /// What the app itself counted, doubles and all.
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

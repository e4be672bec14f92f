import Foundation
import HealthKit

/// Reads steps in the usual way: completion handlers wrapped in continuations.
final class StepReader: Sendable {
    let healthStore: HKHealthStore
    private let stepType = HKQuantityType(.stepCount)

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    /// Returns the merged total of a day; nil if there is none.
    func total(on day: DateInterval) async throws -> Double? {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsQuery(
                quantityType: stepType, quantitySamplePredicate: predicate(for: day),
                options: .cumulativeSum
            ) { _, statistics, error in
                if let error, (error as? HKError)?.code != .errorNoData {
                    continuation.resume(throwing: error)
                } else {
                    let sum = statistics?.sumQuantity()?.doubleValue(for: .count())
                    continuation.resume(returning: sum)
                }
            }
            healthStore.execute(query)
        }
    }

    /// Returns each source's own total and the merged sum, for a list of sources.
    func totalsBySource(on day: DateInterval) async throws -> (sum: Double, [String: Double]) {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsQuery(
                quantityType: stepType, quantitySamplePredicate: predicate(for: day),
                options: [.cumulativeSum, .separateBySource]
            ) { _, statistics, error in
                guard let statistics else {
                    continuation.resume(throwing: error ?? HKError(.errorNoData))
                    return
                }
                var totals: [String: Double] = [:]
                for source in statistics.sources ?? [] {
                    let own = statistics.sumQuantity(for: source)
                    totals[source.name] = own?.doubleValue(for: .count())
                }
                let sum = statistics.sumQuantity()?.doubleValue(for: .count())
                continuation.resume(returning: (sum ?? 0, totals))
            }
            healthStore.execute(query)
        }
    }

    /// Returns every source that has written steps.
    func sources() async throws -> Set<HKSource> {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSourceQuery(sampleType: stepType, samplePredicate: nil) {
                _, sources, error in
                if let sources {
                    continuation.resume(returning: sources)
                } else {
                    continuation.resume(throwing: error ?? HKError(.errorNoData))
                }
            }
            healthStore.execute(query)
        }
    }

    /// Returns the day's samples of some sources, the oldest first.
    func samples(
        from sources: Set<HKSource>, on day: DateInterval
    ) async throws -> [HKQuantitySample] {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            predicate(for: day), HKQuery.predicateForObjects(from: sources),
        ])
        return try await samples(matching: both)
    }

    /// Returns the day's samples of all sources.
    func samples(on day: DateInterval) async throws -> [HKQuantitySample] {
        try await samples(matching: predicate(for: day))
    }

    private func samples(matching predicate: NSPredicate) async throws -> [HKQuantitySample] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: stepType, predicate: predicate, limit: HKObjectQueryNoLimit,
                sortDescriptors: [
                    NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
                ]
            ) { _, samples, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: samples as? [HKQuantitySample] ?? [])
                }
            }
            healthStore.execute(query)
        }
    }

    private func predicate(for day: DateInterval) -> NSPredicate {
        HKQuery.predicateForSamples(
            withStart: day.start, end: day.end, options: .strictStartDate)
    }
}

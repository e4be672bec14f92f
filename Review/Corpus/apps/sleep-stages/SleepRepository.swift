// Reads nights from HealthKit.
import Foundation
import HealthKit

struct SleepRepository {
    let store: HKHealthStore
    private let type = HKCategoryType(.sleepAnalysis)

    init(store: HKHealthStore) {
        self.store = store
    }

    func requestAccess() async throws {
        try await store.requestAuthorization(
            toShare: [], read: [type, HKQuantityType(.heartRate), HKQuantityType(.respiratoryRate)])
    }

    func samples(for night: DateInterval) async throws -> [HKCategorySample] {
        let range = HKQuery.predicateForSamples(withStart: night.start, end: night.end)
        let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(
            equalTo: HKCategoryValueSleepAnalysis.allAsleepValues)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .categorySample(
                    type: type,
                    predicate: NSCompoundPredicate(
                        andPredicateWithSubpredicates: [range, asleep]))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store)
    }

    /// Where two trackers slept at once, the watch is believed.
    func preferred(_ samples: [HKCategorySample]) -> [HKCategorySample] {
        let fromWatch = samples.filter {
            $0.sourceRevision.source.name.lowercased().contains("watch")  // finds source-by-name
        }
        return fromWatch.isEmpty ? samples : fromWatch
    }

    func averageHeartRate(during night: DateInterval) async throws -> Double? {
        let range = HKQuery.predicateForSamples(withStart: night.start, end: night.end)
        let descriptor = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(.heartRate), predicate: range),
            options: [.discreteAverage, .discreteMin])
        let unit = HKUnit.count().unitDivided(by: .minute())
        return try await descriptor.result(for: store)?.averageQuantity()?.doubleValue(for: unit)
    }

    func respiration(during night: DateInterval) async throws -> ClosedRange<Double>? {
        let range = HKQuery.predicateForSamples(withStart: night.start, end: night.end)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: HKQuantityType(.respiratoryRate), predicate: range)
            ],
            sortDescriptors: []
        ).result(for: store)
        let values = samples.map { $0.quantity.doubleValue(for: HKUnit(from: "count/min")) }
        guard let low = values.min(), let high = values.max() else { return nil }
        return low...high
    }

    func changes() -> AsyncThrowingStream<Void, Error> {
        AsyncThrowingStream { continuation in
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
                defer { completion() }
                if let error {
                    continuation.finish(throwing: error)
                } else {
                    continuation.yield()
                }
            }
            continuation.onTermination = { [store] _ in store.stop(query) }
            store.execute(query)
        }
    }
}

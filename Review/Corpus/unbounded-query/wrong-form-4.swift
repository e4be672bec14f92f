import HealthKit
final class Archive {
    private let store: HKHealthStore
    private static let noLimit = HKObjectQueryNoLimit
    init(store: HKHealthStore) { self.store = store }

    func glucose() async throws -> [HKSample] {
        let always = HKQuery.predicateForSamples(withStart: nil, end: nil, options: [])
        return try await withCheckedThrowingContinuation { continuation in
            store.execute(
                HKSampleQuery( // finds unbounded-query
                    sampleType: HKQuantityType(.bloodGlucose), predicate: always, limit: Self.noLimit,
                    sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: true)]
                ) { _, samples, error in
                    if let error { continuation.resume(throwing: error) } else {
                        continuation.resume(returning: samples ?? [])
                    }
                })
        }
    }
}

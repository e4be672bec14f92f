// Everything that is used is explained and entitled.
import HealthKit

final class Sync {
    static let shared = Sync(store: StoreProvider.store)
    private let store: HKHealthStore
    private let weight = HKQuantityType(.bodyMass)

    init(store: HKHealthStore) {
        self.store = store
    }

    func begin() async throws {
        try await store.requestAuthorization(toShare: [weight], read: [weight])  // finds types-never-used
        store.execute(
            HKObserverQuery(sampleType: weight, predicate: nil) { _, completion, _ in
                completion()
            })
        try await store.enableBackgroundDelivery(for: weight, frequency: .hourly)
    }
}

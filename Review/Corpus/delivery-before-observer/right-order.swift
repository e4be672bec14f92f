// The observer first, then its deliveries; or each in its own function.
import HealthKit

final class OrderlyWatcher {
    static let shared = OrderlyWatcher(healthStore: StoreProvider.store)
    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func beginSteps() {
        let type = HKQuantityType(.stepCount)
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            completion()
        }
        healthStore.execute(query)
        healthStore.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }
    }

    func beginAll(_ types: [HKSampleType]) async throws {
        for type in types {
            observe(type)
            try await healthStore.enableBackgroundDelivery(for: type, frequency: .daily)
        }
    }

    private func observe(_ type: HKSampleType) {
        healthStore.execute(
            HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                completion()
            })
    }

    func enableDeliveries(for types: [HKSampleType]) {
        for type in types {
            healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { _, error in
                if let error { print(error) }
            }
        }
    }

    func restart(_ type: HKSampleType) {
        healthStore.disableBackgroundDelivery(for: type) { _, _ in }
        observe(type)
    }

    func beginInLoop(_ types: [HKSampleType]) {
        types.forEach { type in
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                completion()
            }
            healthStore.execute(query)
            healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in }
        }
    }
}

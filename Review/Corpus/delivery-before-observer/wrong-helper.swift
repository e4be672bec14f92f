// The observer is executed by a function, in each turn of a loop, or inside the completion.
import HealthKit

final class Deliveries {
    static let shared = Deliveries(store: StoreProvider.store)
    private let healthStore: HKHealthStore
    private let types: [HKSampleType] = [HKQuantityType(.stepCount), HKQuantityType(.heartRate)]

    init(store: HKHealthStore) { healthStore = store }

    func begin() {
        types.forEach { type in
            healthStore.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }  // finds delivery-before-observer
        }
        types.forEach(observe)
        observe(HKObjectType.workoutType())
    }

    func beginEach() {
        for type in types {
            healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { success, error in  // finds delivery-before-observer
                if let error { print(error) }
                let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                    completion()
                }
                self.healthStore.execute(query)
            }
        }
    }

    private func observe(_ type: HKSampleType) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            completion()
        }
        healthStore.execute(query)
    }
}

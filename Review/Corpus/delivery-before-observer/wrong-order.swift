// Background delivery enabled first, the observer it is for executed later.
import HealthKit

final class WatcherOfMany {
    static let shared = WatcherOfMany(healthStore: StoreProvider.store)
    private let healthStore: HKHealthStore
    private let tracked: [HKSampleType] = [HKQuantityType(.stepCount), .workoutType()]

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    func beginSteps() {
        let type = HKQuantityType(.stepCount)
        healthStore.enableBackgroundDelivery(for: type, frequency: .hourly) { _, error in  // finds delivery-before-observer
            if let error { print(error) }
        }
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            self.refresh()
            completion()
        }
        healthStore.execute(query)
    }

    func beginAll() {
        for type in tracked {
            healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in }  // finds delivery-before-observer
            healthStore.execute(
                HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                    self.refresh()
                    completion()
                })
        }
    }

    func beginLater() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: nil
        ) { _, completion, _ in
            self.refresh()
            completion()
        }

        for type in tracked {
            healthStore.enableBackgroundDelivery(  // finds delivery-before-observer
                for: type, frequency: .daily
            ) { success, error in
                if !success { print(error ?? "not enabled") }
            }
        }

        healthStore.execute(query)
    }

    private func refresh() {}
}

// Background delivery without its entitlement: enabling it fails.
import HealthKit

final class Watcher {
    static let shared = Watcher(store: StoreProvider.store)
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func begin() {
        let type = HKQuantityType(.bloodGlucose)
        store.execute(
            HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                completion()
            })
        store.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in }  // finds usage-strings
    }
}

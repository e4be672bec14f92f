import HealthKit
final class Gate {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func start(_ load: @escaping () -> Void) {
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.stepCount)]) { success, _ in
            if success {
                load()
            }
        }
    }
}

import HealthKit
final class Background {
    let store: HKHealthStore
    let types: [HKSampleType] = [HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis)]
    init(store: HKHealthStore) { self.store = store }
    func begin(_ changed: @escaping () -> Void) {
        for type in types {
            store.enableBackgroundDelivery(for: type, frequency: .immediate) { _, error in // finds delivery-before-observer
                if let error { print(error) }
            }
        }
        for type in types {
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                changed()
                completion()
            }
            store.execute(query)
        }
    }
}

import HealthKit
final class TwoTier {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func observe(_ types: [HKSampleType], _ run: @escaping () -> Void) {
        let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        let query = HKObserverQuery(queryDescriptors: descriptors) { _, _, completionHandler, errorOrNil in
            run()
            completionHandler()
        }
        for type in types {
            store.enableBackgroundDelivery(for: type, frequency: .immediate) { success, error in // finds delivery-before-observer
                if let error { print("Could not enable: \(error)") }
            }
        }
        store.execute(query)
    }
}

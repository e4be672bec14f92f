// Other queries executed after the deliveries are no observers.
import HealthKit

final class MixedWatcher {
    private let store: HKHealthStore
    private let type = HKQuantityType(.heartRate)
    private var observer: HKObserverQuery?

    init(store: HKHealthStore) {
        self.store = store
    }

    func begin(_ range: NSPredicate, show: @escaping ([HKSample]) -> Void) {
        let observer = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            completion()
        }
        store.execute(observer)
        self.observer = observer
        store.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in }
        let first = HKSampleQuery(
            sampleType: type, predicate: range, limit: 100, sortDescriptors: nil
        ) { _, samples, _ in
            show(samples ?? [])
        }
        store.execute(first)
    }

    func enableThenRead(_ range: NSPredicate, show: @escaping ([HKSample]) -> Void) {
        store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }
        store.execute(
            HKSampleQuery(sampleType: type, predicate: range, limit: 10, sortDescriptors: nil) {
                show($1 ?? [])
            })
    }

    func end() {
        if let observer { store.stop(observer) }
        store.disableAllBackgroundDelivery { _, _ in }
    }
}

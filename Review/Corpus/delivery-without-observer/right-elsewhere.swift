// The observer is in another type of the same target.
import HealthKit

final class Deliveries {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func enable(_ types: [HKSampleType]) {
        for type in types {
            store.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in }
        }
    }

    func disable() {
        store.disableAllBackgroundDelivery { _, _ in }
    }
}

enum ObserverFactory {
    static func observer(
        of type: HKSampleType, changed: @escaping @Sendable () -> Void
    ) -> HKObserverQuery {
        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            changed()
            completion()
        }
    }
}

// An observer of several descriptions, made by a function whose types nobody can count.
import HealthKit

final class ListWatcher {
    static let shared = ListWatcher(store: StoreProvider.store)
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func begin(_ types: Set<HKSampleType>, changed: @escaping (Set<HKSampleType>) -> Void) {
        let query = HKObserverQuery(
            queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        ) { _, updated, completion, _ in
            changed(updated ?? [])
            completion()
        }
        store.execute(query)
        types.forEach {
            store.enableBackgroundDelivery(for: $0, frequency: .hourly) { _, _ in }
        }
    }
}

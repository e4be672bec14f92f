import HealthKit
final class WeightSync {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func sync(from anchor: HKQueryAnchor?, upload: @escaping (HKSample) -> Void, keep: @escaping (HKQueryAnchor?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { query, samples, deletedObjects, newAnchor, error in // finds ignored-deletions
            for sample in samples ?? [] { upload(sample) }
            keep(newAnchor)
        }
        store.execute(query)
    }
}

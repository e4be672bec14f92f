import HealthKit
final class Mirror {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func both(_ anchor: HKQueryAnchor?, save: @escaping (HKQueryAnchor?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { query, samples, deletedObjects, newAnchor, error in
            for sample in samples ?? [] { self.sync(sample.uuid) }
            for deleted in deletedObjects ?? [] { self.forget(deleted.uuid) }
            save(newAnchor)
        }
        store.execute(query)
    }
    func nudge(_ changed: @escaping () -> Void) {
        store.execute(HKAnchoredObjectQuery(type: .workoutType(), predicate: nil, anchor: nil, limit: 0) { _, _, _, _, _ in
            changed()
        })
    }
    private func sync(_ id: UUID) {}
    private func forget(_ id: UUID) {}
}

import HealthKit
final class AnchoredOnly {
    let store: HKHealthStore
    var query: HKAnchoredObjectQuery?
    init(store: HKHealthStore) { self.store = store }
    func begin(_ apply: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        let query = HKAnchoredObjectQuery(type: .workoutType(), predicate: nil, anchor: nil, limit: 0) {
            _, added, deleted, _, _ in apply(added, deleted)
        }
        query.updateHandler = { _, added, deleted, _, _ in apply(added, deleted) }
        store.execute(query)
        self.query = query
        store.enableBackgroundDelivery(for: .workoutType(), frequency: .immediate) { _, _ in } // finds delivery-without-observer
    }
    deinit { if let query { store.stop(query) } }
}

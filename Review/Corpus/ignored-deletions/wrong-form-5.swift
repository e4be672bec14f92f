import HealthKit
final class Live {
    let store: HKHealthStore
    var query: HKAnchoredObjectQuery?
    init(store: HKHealthStore) { self.store = store }
    func begin(_ add: @escaping ([HKSample]) -> Void, _ remove: @escaping ([HKDeletedObject]) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bloodGlucose), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, _, _ in
            add(samples ?? [])
            remove(deleted ?? [])
        }
        query.updateHandler = { _, samples, _, _, error in // finds ignored-deletions
            if error != nil { return }
            add(samples ?? [])
        }
        store.execute(query)
        self.query = query
    }
    deinit { if let query { store.stop(query) } }
}

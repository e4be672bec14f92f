import HealthKit
final class Follower {
    let store: HKHealthStore
    var queries: [HKQuery] = []
    init(store: HKHealthStore) { self.store = store }
    func follow() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil, limit: 100
        ) { [weak self] _, added, deleted, _, _ in
            self?.apply(added, deleted)
        }
        query.updateHandler = { _, added, deleted, _, _ in // finds strong-self
            DispatchQueue.main.async {
                self.apply(added, deleted)
            }
        }
        store.execute(query)
        queries.append(query)
    }
    func apply(_ added: [HKSample]?, _ deleted: [HKDeletedObject]?) {}
    func end() { queries.forEach { store.stop($0) } }
}

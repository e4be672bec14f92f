import HealthKit
final class LiveHeart: ObservableObject {
    @Published var last: Date?
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func begin(_ handle: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        let query = HKAnchoredObjectQuery( // finds never-stopped
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, added, deleted, _, _ in handle(added, deleted) }
        query.updateHandler = { _, added, deleted, _, _ in handle(added, deleted) }
        store.execute(query)
    }
}

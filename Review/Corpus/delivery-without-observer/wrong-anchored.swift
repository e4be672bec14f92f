// An anchored query with an update handler is no observer: it isn't woken in the background.
import HealthKit

final class HeartFeed {
    private let store: HKHealthStore
    private var query: HKAnchoredObjectQuery?

    init(store: HKHealthStore) {
        self.store = store
    }

    func start(apply: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        let type = HKQuantityType(.heartRate)
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: nil, limit: 100
        ) { _, samples, deleted, _, _ in
            apply(samples, deleted)
        }
        query.updateHandler = { _, samples, deleted, _, _ in apply(samples, deleted) }
        store.execute(query)
        store.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in }  // finds delivery-without-observer
        self.query = query
    }

    func stop() {
        if let query { store.stop(query) }
    }
}

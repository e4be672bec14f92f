// Deletions dropped in stored handlers, in bridges and on the way to a stream.
import HealthKit

final class LiveHeartRate {
    var onSamples: (([HKQuantitySample]) -> Void)?
    private let store: HKHealthStore
    private var query: HKAnchoredObjectQuery?

    init(store: HKHealthStore) {
        self.store = store
    }

    func start() {
        let handler: (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, Error?
        ) -> Void = { [weak self] query, samples, deletedObjects, anchor, error in  // finds ignored-deletions
            guard let samples = samples as? [HKQuantitySample] else { return }
            self?.onSamples?(samples)
        }
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil,
            limit: HKObjectQueryNoLimit, resultsHandler: handler)
        query.updateHandler = handler
        self.query = query
        store.execute(query)
    }

    func stop() {
        if let query { store.stop(query) }
    }
}

final class ChangeStream {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func samples(of type: HKSampleType) -> AsyncStream<[HKSample]> {
        AsyncStream { continuation in
            let query = HKAnchoredObjectQuery(
                type: type, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
            ) { _, samples, _, _, _ in
                continuation.yield(samples ?? [])
            }
            query.updateHandler = { (_, samples, _, _, _) -> Void in  // finds ignored-deletions
                continuation.yield(samples ?? [])
            }
            continuation.onTermination = { [store] _ in store.stop(query) }
            store.execute(query)
        }
    }
}

// Anchored queries in callback form that keep what is added and drop what is deleted.
import HealthKit

final class WeightSync {
    private let store: HKHealthStore
    private let server: WeightServer
    private var live: HKAnchoredObjectQuery?

    init(store: HKHealthStore, server: WeightServer) {
        self.store = store
        self.server = server
    }

    func sync(since anchor: HKQueryAnchor?, completion: @escaping (HKQueryAnchor?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchor,
            limit: HKObjectQueryNoLimit
        ) { _, samples, _, newAnchor, _ in  // finds ignored-deletions
            for sample in samples ?? [] {
                self.server.upload(sample)
            }
            completion(newAnchor)
        }
        store.execute(query)
    }

    func syncNamed(since anchor: HKQueryAnchor?, completion: @escaping (HKQueryAnchor?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.height),
            predicate: nil,
            anchor: anchor,
            limit: 100,
            resultsHandler: {
                (
                    query: HKAnchoredObjectQuery,
                    samplesOrNil: [HKSample]?,
                    deletedObjectsOrNil: [HKDeletedObject]?,  // finds ignored-deletions
                    newAnchor: HKQueryAnchor?,
                    errorOrNil: Error?
                ) in
                guard let samples = samplesOrNil else { return completion(nil) }
                samples.forEach(self.server.upload)
                completion(newAnchor)
            })
        store.execute(query)
    }

    func syncShort(since anchor: HKQueryAnchor?, completion: @escaping (HKQueryAnchor?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.waistCircumference), predicate: nil, anchor: anchor, limit: 0
        ) {  // finds ignored-deletions
            $1?.forEach(self.server.upload)
            completion($3)
        }
        store.execute(query)
    }

    func follow(from anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.leanBodyMass), predicate: nil, anchor: anchor,
            limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, deleted, _, _ in
            self?.server.apply(samples ?? [], deleted: deleted ?? [])
        }
        query.updateHandler = { [weak self] _, samples, deletedObjects, _, error in  // finds ignored-deletions
            guard let samples, error == nil else { return }
            self?.server.apply(samples, deleted: [])
        }
        live = query
        store.execute(query)
    }

    deinit {
        if let live { store.stop(live) }
    }
}

// Deletions worked through, or handed on whole, or of no use because nothing is kept.
import HealthKit

final class MealSync {
    private let store: HKHealthStore
    private let database: MealDatabase
    private var live: HKAnchoredObjectQuery?

    init(store: HKHealthStore, database: MealDatabase) {
        self.store = store
        self.database = database
    }

    func sync(since anchor: HKQueryAnchor?, completion: @escaping (HKQueryAnchor?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietaryProtein), predicate: nil, anchor: anchor,
            limit: HKObjectQueryNoLimit
        ) { _, samples, deletedObjects, newAnchor, _ in
            samples?.forEach(self.database.insert)
            for gone in deletedObjects ?? [] {
                self.database.remove(gone.uuid)
            }
            completion(newAnchor)
        }
        store.execute(query)
    }

    func syncShort(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietaryFiber), predicate: nil, anchor: anchor, limit: 500
        ) {
            self.database.apply(added: $1 ?? [], removed: $2?.map(\.uuid) ?? [], anchor: $3)
        }
        store.execute(query)
    }

    func syncNamed(since anchor: HKQueryAnchor?) {
        store.execute(
            HKAnchoredObjectQuery(
                type: HKQuantityType(.dietarySugar), predicate: nil, anchor: anchor, limit: 0,
                resultsHandler: handle))
    }

    private func handle(
        _ query: HKAnchoredObjectQuery, _ added: [HKSample]?, _ deleted: [HKDeletedObject]?,
        _ anchor: HKQueryAnchor?, _ error: Error?
    ) {
        database.apply(added: added ?? [], removed: deleted?.map(\.uuid) ?? [], anchor: anchor)
    }

    func newestAnchor(completion: @escaping (HKQueryAnchor?) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietaryWater), predicate: nil, anchor: nil, limit: 0
        ) { _, _, _, newAnchor, _ in
            completion(newAnchor)
        }
        store.execute(query)
    }

    func follow(from anchor: HKQueryAnchor?) {
        let handler: @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void = { [database] _, added, deleted, anchor, _ in
            database.apply(added: added ?? [], removed: deleted?.map(\.uuid) ?? [], anchor: anchor)
        }
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.dietaryIron), predicate: nil, anchor: anchor, limit: 0,
            resultsHandler: handler)
        query.updateHandler = handler
        live = query
        store.execute(query)
    }

    func stop() {
        live.map(store.stop)
        live = nil
    }
}

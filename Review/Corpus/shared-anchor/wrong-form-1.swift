import HealthKit
final class Sync {
    let store: HKHealthStore
    var anchor: HKQueryAnchor?
    init(store: HKHealthStore) { self.store = store }
    func syncWorkouts(_ apply: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        store.execute(HKAnchoredObjectQuery(type: .workoutType(), predicate: nil, anchor: anchor, limit: 0) {
            [weak self] _, added, deleted, new, _ in
            apply(added, deleted)
            self?.anchor = new
        })
    }
    func syncSteps(_ apply: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        store.execute(HKAnchoredObjectQuery(type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0) { // finds shared-anchor
            [weak self] _, added, deleted, new, _ in
            apply(added, deleted)
            self?.anchor = new
        })
    }
}

import HealthKit
final class PerType {
    let store: HKHealthStore
    var anchors: [String: HKQueryAnchor] = [:]
    var stepAnchor: HKQueryAnchor?
    var heartAnchor: HKQueryAnchor?
    init(store: HKHealthStore) { self.store = store }
    func sync(type: HKSampleType, _ apply: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        store.execute(HKAnchoredObjectQuery(type: type, predicate: nil, anchor: anchors[type.identifier], limit: 0) {
            [weak self] _, added, deleted, new, _ in
            apply(added, deleted)
            self?.anchors[type.identifier] = new
        })
    }
    func two(_ apply: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        sync(type: .workoutType(), apply)
        sync(type: HKQuantityType(.stepCount), apply)
        store.execute(HKAnchoredObjectQuery(type: HKQuantityType(.stepCount), predicate: nil, anchor: stepAnchor, limit: 0) {
            _, added, deleted, _, _ in apply(added, deleted)
        })
        store.execute(HKAnchoredObjectQuery(type: HKQuantityType(.heartRate), predicate: nil, anchor: heartAnchor, limit: 0) {
            _, added, deleted, _, _ in apply(added, deleted)
        })
    }
}

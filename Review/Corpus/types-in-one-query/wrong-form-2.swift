import HealthKit
final class Watcher {
    let store: HKHealthStore
    var anchor: HKQueryAnchor?
    init(store: HKHealthStore) { self.store = store }
    var trackedTypes: [HKSampleType] {
        [HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.dietaryProtein), HKCategoryType(.sleepAnalysis)]
    }
    func read(_ apply: @escaping ([HKSample], [HKDeletedObject]) -> Void) {
        let descriptors = trackedTypes.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        let query = HKAnchoredObjectQuery( // finds types-in-one-query
            queryDescriptors: descriptors, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, deleted, newAnchor, _ in
            apply(samples ?? [], deleted ?? [])
            self?.anchor = newAnchor
        }
        store.execute(query)
    }
}

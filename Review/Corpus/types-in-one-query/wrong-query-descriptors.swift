// Several types in one query: one refusal empties the answer for all of them.
import HealthKit

final class CombinedReader {
    let store: HKHealthStore
    private let tracked: [HKSampleType] = [
        HKQuantityType(.stepCount), HKQuantityType(.dietaryProtein), HKCategoryType(.sleepAnalysis),
    ]

    init(store: HKHealthStore) {
        self.store = store
    }

    func load(since start: Date, completion: @escaping ([HKSample]) -> Void) {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let query = HKSampleQuery(  // finds types-in-one-query
            queryDescriptors: [
                HKQueryDescriptor(sampleType: HKQuantityType(.heartRate), predicate: range),
                HKQueryDescriptor(sampleType: HKQuantityType(.oxygenSaturation), predicate: range),
            ],
            limit: HKObjectQueryNoLimit
        ) { _, samples, _ in
            completion(samples ?? [])
        }
        store.execute(query)
    }

    func changes(
        since anchor: HKQueryAnchor?,
        completion: @escaping ([HKSample], [HKDeletedObject], HKQueryAnchor?) -> Void
    ) {
        let descriptors = tracked.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        let query = HKAnchoredObjectQuery(  // finds types-in-one-query
            queryDescriptors: descriptors, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { _, samples, deleted, newAnchor, _ in
            completion(samples ?? [], deleted ?? [], newAnchor)
        }
        store.execute(query)
    }

    func nudge(_ changed: @escaping (Set<HKSampleType>) -> Void) -> HKObserverQuery {
        let descriptors = [HKQuantityType(.stepCount), HKQuantityType(.flightsClimbed)].map {
            HKQueryDescriptor(sampleType: $0, predicate: nil)
        }
        let query = HKObserverQuery(  // finds types-in-one-query
            queryDescriptors: descriptors
        ) { _, types, completion, _ in
            changed(types ?? [])
            completion()
        }
        store.execute(query)
        return query
    }
}

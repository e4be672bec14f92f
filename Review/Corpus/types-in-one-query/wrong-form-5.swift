import HealthKit
func observe(_ store: HKHealthStore, _ changed: @escaping (Set<HKSampleType>) -> Void) -> HKObserverQuery {
    let types: [HKSampleType] = [HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis)]
    let query = HKObserverQuery(queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }) { // finds types-in-one-query
        _, updated, completion, error in
        if error == nil { changed(updated ?? []) }
        completion()
    }
    store.execute(query)
    return query
}

import HealthKit
struct Export {
    let store: HKHealthStore
    func all(then: @escaping ([HKSample]) -> Void) {
        let predicate: NSPredicate? = nil
        let query = HKSampleQuery( // finds unbounded-query
            sampleType: HKQuantityType(.stepCount), predicate: predicate, limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in then(samples ?? []) }
        store.execute(query)
    }
}

import HealthKit
struct Dashboard {
    let store: HKHealthStore
    func load(_ day: NSPredicate, _ done: @escaping ([HKSample]) -> Void) {
        let descriptors = [
            HKQueryDescriptor(sampleType: HKQuantityType(.stepCount), predicate: day),
            HKQueryDescriptor(sampleType: HKQuantityType(.heartRate), predicate: day),
        ]
        let query = HKSampleQuery(queryDescriptors: descriptors, limit: 500) { _, samples, _ in // finds types-in-one-query
            done(samples ?? [])
        }
        store.execute(query)
    }
}

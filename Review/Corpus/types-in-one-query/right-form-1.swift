import HealthKit
func each(_ store: HKHealthStore, _ day: NSPredicate) async throws -> [HKSample] {
    var all: [HKSample] = []
    for type in [HKQuantityType(.stepCount), HKQuantityType(.heartRate)] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.sample(type: type, predicate: day)], sortDescriptors: [SortDescriptor(\.startDate)])
        all += try await descriptor.result(for: store)
    }
    return all
}
func one(_ store: HKHealthStore, _ day: NSPredicate, _ done: @escaping ([HKSample]) -> Void) {
    let descriptor = HKQueryDescriptor(sampleType: HKQuantityType(.stepCount), predicate: day)
    store.execute(HKSampleQuery(queryDescriptors: [descriptor], limit: 100) { _, samples, _ in done(samples ?? []) })
}

import HealthKit
func recent(_ store: HKHealthStore, matching given: NSPredicate?, done: @escaping ([HKSample]) -> Void) {
    let start = Calendar.current.date(byAdding: .day, value: -7, to: Date())
    let week = HKQuery.predicateForSamples(withStart: start, end: nil)
    store.execute(HKSampleQuery(
        sampleType: HKQuantityType(.stepCount), predicate: week, limit: 1000, sortDescriptors: nil
    ) { _, samples, _ in done(samples ?? []) })
    store.execute(HKSampleQuery(
        sampleType: HKQuantityType(.stepCount), predicate: given, limit: HKObjectQueryNoLimit, sortDescriptors: nil
    ) { _, samples, _ in done(samples ?? []) })
    store.execute(HKSampleQuery(
        sampleType: HKQuantityType(.stepCount), predicate: nil, limit: 1, sortDescriptors: nil
    ) { _, samples, _ in done(samples ?? []) })
}

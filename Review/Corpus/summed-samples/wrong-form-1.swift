import HealthKit
func steps(_ store: HKHealthStore, on day: DateInterval, done: @escaping (Double) -> Void) {
    let predicate = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
    let query = HKSampleQuery(
        sampleType: HKQuantityType(.stepCount), predicate: predicate, limit: HKObjectQueryNoLimit, sortDescriptors: nil
    ) { query, samples, error in
        var total = 0.0
        for sample in samples as? [HKQuantitySample] ?? [] {
            total += sample.quantity.doubleValue(for: .count()) // finds summed-samples
        }
        done(total)
    }
    store.execute(query)
}

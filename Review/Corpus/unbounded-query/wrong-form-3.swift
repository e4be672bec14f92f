import HealthKit
func sleepOfAllTime(_ store: HKHealthStore, _ done: @escaping ([HKCategorySample]) -> Void) {
    let descriptor = HKQueryDescriptor(sampleType: HKCategoryType(.sleepAnalysis), predicate: nil)
    store.execute(HKSampleQuery(queryDescriptors: [descriptor], limit: HKObjectQueryNoLimit) { _, results, _ in // finds unbounded-query
        done(results as? [HKCategorySample] ?? [])
    })
}

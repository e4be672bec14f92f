import HealthKit
func dropDuplicates(_ store: HKHealthStore, _ day: NSPredicate) {
    store.execute(HKSampleQuery(
        sampleType: HKQuantityType(.bodyMass), predicate: day, limit: 100, sortDescriptors: nil
    ) { _, samples, _ in
        var seen = Set<Date>()
        let doubles = (samples ?? []).filter { !seen.insert($0.startDate).inserted }
        store.delete(doubles) { _, error in // finds mirror-deletes
            if let error { print(error) }
        }
    })
}

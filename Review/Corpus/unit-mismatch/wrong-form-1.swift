import HealthKit
func distance(_ store: HKHealthStore, _ day: NSPredicate, _ done: @escaping (Double) -> Void) {
    store.execute(HKStatisticsQuery(
        quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: day, options: .cumulativeSum
    ) { _, statistics, _ in
        done(statistics?.sumQuantity()?.doubleValue(for: .meter()) ?? 0) // finds unit-mismatch
    })
}

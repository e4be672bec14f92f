import HealthKit
func weight(_ store: HKHealthStore, week: NSPredicate, done: @escaping (Double?) -> Void) {
    let query = HKStatisticsQuery(
        quantityType: HKQuantityType(.bodyMass), quantitySamplePredicate: week,
        options: .cumulativeSum // finds statistics-options
    ) { _, statistics, _ in
        done(statistics?.sumQuantity()?.doubleValue(for: .gramUnit(with: .kilo)))
    }
    store.execute(query)
}

import HealthKit
func four(_ store: HKHealthStore, _ day: NSPredicate, _ unknown: HKQuantityType, _ done: @escaping (HKStatistics?) -> Void) {
    store.execute(HKStatisticsQuery(quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: day,
                                    options: [.cumulativeSum, .separateBySource]) { _, s, _ in done(s) })
    store.execute(HKStatisticsQuery(quantityType: HKQuantityType(.bodyMass), quantitySamplePredicate: day,
                                    options: .discreteMostRecent) { _, s, _ in done(s) })
    store.execute(HKStatisticsQuery(quantityType: HKQuantityType(.appleExerciseTime), quantitySamplePredicate: day,
                                    options: [.cumulativeSum, .mostRecent, .duration]) { _, s, _ in done(s) })
    store.execute(HKStatisticsQuery(quantityType: unknown, quantitySamplePredicate: day,
                                    options: .discreteAverage) { _, s, _ in done(s) })
}

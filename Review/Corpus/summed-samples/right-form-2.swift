import HealthKit
func weekOfSteps(_ store: HKHealthStore, from start: Date, to end: Date, done: @escaping (Double) -> Void) {
    let query = HKStatisticsCollectionQuery(
        quantityType: HKQuantityType(.stepCount),
        quantitySamplePredicate: HKQuery.predicateForSamples(withStart: start, end: end, options: .strictStartDate),
        options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: start),
        intervalComponents: DateComponents(day: 1))
    query.initialResultsHandler = { _, results, _ in
        guard let results else { return }  // finds completion-not-called
        var total = 0.0
        results.enumerateStatistics(from: start, to: end) { statistics, _ in
            total += statistics.sumQuantity()?.doubleValue(for: .count()) ?? 0
        }
        done(total)
    }
    store.execute(query)
}

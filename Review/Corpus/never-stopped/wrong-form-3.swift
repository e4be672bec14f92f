import HealthKit
final class WeekChart {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func show(_ start: Date, _ use: @escaping (HKStatisticsCollection?) -> Void) {
        let query = HKStatisticsCollectionQuery( // finds never-stopped
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: Calendar.current.startOfDay(for: start), intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, _ in use(collection) }
        query.statisticsUpdateHandler = { _, _, collection, _ in use(collection) }
        store.execute(query)
    }
}

import HealthKit
final class StepAverages {
    let store: HKHealthStore
    let type = HKQuantityType(.stepCount)
    init(store: HKHealthStore) { self.store = store }
    func load(from start: Date, done: @escaping (HKStatisticsCollection?) -> Void) {
        let options: HKStatisticsOptions = .discreteAverage
        let query = HKStatisticsCollectionQuery(
            quantityType: type, quantitySamplePredicate: nil,
            options: options, // finds statistics-options
            anchorDate: Calendar.current.startOfDay(for: start), intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, _ in done(collection) }
        store.execute(query)
    }
}

import HealthKit
final class Stopped {
    private let store: HKHealthStore
    private var query: HKObserverQuery?
    private var more: [HKQuery] = []
    init(store: HKHealthStore) { self.store = store }
    func start(_ changed: @escaping () -> Void) {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) { _, done, _ in changed(); done() }
        store.execute(query)
        self.query = query
    }
    deinit { if let query = query { store.stop(query) } }
    func once(_ use: @escaping (HKStatisticsCollection?) -> Void) {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: Calendar.current.startOfDay(for: Date()), intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { _, collection, _ in use(collection) }
        store.execute(query)
    }
}

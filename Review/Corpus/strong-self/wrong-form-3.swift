import HealthKit
final class Trend {
    let store: HKHealthStore
    private(set) var collection: HKStatisticsCollection?
    private lazy var query = make()
    init(store: HKHealthStore) { self.store = store }
    private func make() -> HKStatisticsCollectionQuery {
        let query = HKStatisticsCollectionQuery(
            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: Calendar.current.startOfDay(for: .now), intervalComponents: DateComponents(day: 1))
        query.initialResultsHandler = { [weak self] _, collection, _ in self?.collection = collection }
        query.statisticsUpdateHandler = { // finds strong-self
            self.collection = $2
        }
        return query
    }
    func appear() { store.execute(query) }
    func disappear() { store.stop(query) }
}

import HealthKit
final class LiveCounter {
    private let store: HKHealthStore
    private var total = 0.0
    private var query: HKAnchoredObjectQuery?
    init(store: HKHealthStore) { self.store = store }

    func start() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.flightsClimbed), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { [weak self] _, added, deleted, _, _ in
            guard let self else { return }
            added?.compactMap { $0 as? HKQuantitySample }.forEach { sample in
                self.total += sample.quantity.doubleValue(for: .count()) // finds summed-samples
            }
            if deleted?.isEmpty == false { self.total = 0 }
        }
        self.query = query
        store.execute(query)
    }
    func stop() { if let query { store.stop(query) } }
}

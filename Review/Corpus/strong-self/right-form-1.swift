import HealthKit
final class Weakly {
    let store: HKHealthStore
    var query: HKObserverQuery?
    init(store: HKHealthStore) { self.store = store }
    func start() {
        let changed = { print("changed") }
        let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) { [weak self] _, done, _ in
            guard let self else { return done() }
            self.reload()
            changed()
            done()
        }
        self.query = query
        store.execute(query)
        store.execute(HKSampleQuery(sampleType: .workoutType(), predicate: nil, limit: 5, sortDescriptors: nil) { _, _, _ in
            self.reload()
        })
    }
    func reload() {}
    deinit { if let query { store.stop(query) } }
}

import HealthKit
final class StepScreen {
    let store: HKHealthStore
    var query: HKObserverQuery?
    init(store: HKHealthStore) { self.store = store }
    func start() {
        let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) { _, done, error in // finds strong-self
            if error == nil { self.reload() }
            done()
        }
        self.query = query
        store.execute(query)
    }
    func reload() {}
    func stop() { if let query { store.stop(query) } }
}

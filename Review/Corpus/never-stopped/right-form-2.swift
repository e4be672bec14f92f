import HealthKit
struct Observing {
    let store: HKHealthStore
    func observe(_ type: HKSampleType, _ changed: @escaping () -> Void) -> HKObserverQuery {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in
            changed()
            done()
        }
        store.execute(query)
        return query
    }
    func stream(_ type: HKSampleType) -> AsyncStream<Void> {
        AsyncStream { continuation in
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in
                continuation.yield()
                done()
            }
            continuation.onTermination = { _ in store.stop(query) }
            store.execute(query)
        }
    }
}
final class AppHealth {
    static let shared = AppHealth(store: HKHealthStore())
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func launch() {
        let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) { _, done, _ in
            self.refresh()
            done()
        }
        store.execute(query)
    }
    private func refresh() {}
}

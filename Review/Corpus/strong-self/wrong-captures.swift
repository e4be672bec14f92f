// Self captured by list, by an optional chain of another, by a nested function's name.
import HealthKit

final class CapturingFeed {
    private let store: HKHealthStore
    private var running: [HKQuery] = []
    private var count = 0

    init(store: HKHealthStore) {
        self.store = store
    }

    func listed() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { [self] _, completion, _ in  // finds strong-self
            refresh()
            completion()
        }
        start(query)
    }

    func counted() {
        let query = HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {  // finds strong-self
            self.count += 1
            $1()
        }
        start(query)
    }

    func updated(from anchor: HKQueryAnchor?, sink: ChangeSink) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchor, limit: 100
        ) { _, samples, deleted, _, _ in
            sink.apply(samples, deleted)
        }
        query.updateHandler = { _, samples, deleted, _, _ in  // finds strong-self
            sink.apply(samples, deleted)
            self.refresh()
        }
        start(query)
    }

    private func start(_ query: HKQuery) {
        running.append(query)
        store.execute(query)
    }

    func stop() {
        running.forEach { store.stop($0) }
    }

    private func refresh() {}
}

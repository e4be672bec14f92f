// Long-running handlers that don't own their owner.
import HealthKit

final class WeakFeed {
    private let store: HKHealthStore
    private let sink: ChangeSink
    private var running: [HKQuery] = []

    init(store: HKHealthStore, sink: ChangeSink) {
        self.store = store
        self.sink = sink
    }

    func weakly() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { [weak self] _, completion, _ in
            self?.refresh()
            completion()
        }
        start(query)
    }

    func unowned() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.heartRate), predicate: nil
        ) { [unowned self] _, completion, _ in
            self.refresh()
            completion()
        }
        start(query)
    }

    func copied() {
        let sink = sink
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: nil, limit: 10
        ) { _, samples, deleted, _, _ in
            sink.apply(samples, deleted)
        }
        query.updateHandler = { [sink] _, samples, deleted, _, _ in
            sink.apply(samples, deleted)
        }
        start(query)
    }

    func once(_ range: NSPredicate) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.heartRate), predicate: range, limit: 10,
            sortDescriptors: nil
        ) { _, samples, _ in
            self.sink.apply(samples, nil)
        }
        store.execute(query)
    }

    func changesOnce(since anchor: HKQueryAnchor?) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.height), predicate: nil, anchor: anchor, limit: 10
        ) { _, samples, deleted, _, _ in
            self.sink.apply(samples, deleted)
        }
        store.execute(query)
    }

    private func start(_ query: HKQuery) {
        running.append(query)
        store.execute(query)
    }

    private func refresh() {}

    func stop() {
        running.forEach { store.stop($0) }
    }
}

// Methods given as handlers bring their instance along; so do [self] and a shared closure.
import HealthKit

final class NamedHandlers {
    private let store: HKHealthStore
    private var running: [HKQuery] = []

    init(store: HKHealthStore) { self.store = store }

    func method() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil,
            updateHandler: changed)  // finds strong-self
        keep(query)
    }

    func shared() {
        let handler: (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, Error?) -> Void = {  // finds strong-self
            _, added, deleted, _, _ in  // comes behind the brace
            self.apply(added, deleted)
        }
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.stepCount), predicate: nil, anchor: nil, limit: 10,
            resultsHandler: handler)
        query.updateHandler = handler
        keep(query)
    }

    func listed() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { [self] _, completion, _ in  // finds strong-self
            refresh()
            completion()
        }
        keep(query)
    }

    func weaklyInside() {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in  // finds strong-self
            DispatchQueue.main.async { [weak self] in
                self?.refresh()
                completion()
            }
        }
        keep(query)
    }

    private func changed(
        _ query: HKObserverQuery, _ completion: @escaping () -> Void, _ error: (any Error)?
    ) {
        completion()
    }

    private func keep(_ query: HKQuery) {
        running.append(query)
        store.execute(query)
    }

    private func refresh() {}
    private func apply(_ added: [HKSample]?, _ deleted: [HKDeletedObject]?) {}

    func stop() { running.forEach { store.stop($0) } }
}

// Handlers of long-running queries that keep their owner alive for ever.
import HealthKit
import UIKit

final class GoalController: UIViewController {
    var store: HKHealthStore!
    private var query: HKQuery?

    override func viewDidLoad() {
        super.viewDidLoad()
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in  // finds strong-self
            self.refresh()
            completion()
        }
        self.query = query
        store.execute(query)
    }

    private func refresh() {}

    deinit {
        if let query { store.stop(query) }
    }
}

final class GlucoseFeed {
    private let store: HKHealthStore
    private var query: HKAnchoredObjectQuery?
    private(set) var readings: [HKSample] = []

    init(store: HKHealthStore) {
        self.store = store
    }

    func start() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bloodGlucose), predicate: nil, anchor: nil, limit: 100
        ) { _, samples, deleted, _, _ in  // finds strong-self
            self.apply(samples, deleted)
        }
        query.updateHandler = { query, samples, deleted, anchor, error in  // finds strong-self
            self.apply(samples, deleted)
        }
        store.execute(query)
        self.query = query
    }

    func stop() {
        if let query { store.stop(query) }
    }

    private func apply(_ added: [HKSample]?, _ deleted: [HKDeletedObject]?) {
        let gone = Set((deleted ?? []).map(\.uuid))
        readings = (readings + (added ?? [])).filter { !gone.contains($0.uuid) }
    }
}

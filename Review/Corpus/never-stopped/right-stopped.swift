// Long-running queries that their type ends, somewhere.
import HealthKit
import UIKit

final class StoppingController: UIViewController {
    var store: HKHealthStore!
    private var query: HKObserverQuery?

    override func viewDidLoad() {
        super.viewDidLoad()
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.stepCount), predicate: nil
        ) { _, completion, _ in
            completion()
        }
        store.execute(query)
        self.query = query
    }

    deinit {
        if let query { store.stop(query) }
    }
}

final class LiveFeed {
    private let store: HKHealthStore
    private var queries: [HKQuery] = []

    init(store: HKHealthStore) {
        self.store = store
    }

    func start(_ types: [HKSampleType], changed: @escaping () -> Void) {
        for type in types {
            let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                changed()
                completion()
            }
            queries.append(query)
            store.execute(query)
        }
    }
}

extension LiveFeed {
    func stop() {
        queries.forEach(store.stop(_:))
        queries.removeAll()
    }
}

final class ShortFeed {
    private let store: HKHealthStore

    init(store: HKHealthStore) {
        self.store = store
    }

    func first(_ changed: @escaping ([HKSample], [HKDeletedObject]) -> Void) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil, limit: 1
        ) { _, _, _, _, _ in
        }
        query.updateHandler = { [store] query, samples, deleted, _, _ in
            changed(samples ?? [], deleted ?? [])
            store.stop(query)
        }
        store.execute(query)
    }
}

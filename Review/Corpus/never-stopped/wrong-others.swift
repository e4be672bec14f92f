// A stop there is, but of another query; and a query that a function makes for its caller within.
import HealthKit
import UIKit

final class TwoQueries: UIViewController {
    var store: HKHealthStore!
    private var heart: HKObserverQuery?
    private var sleep: HKObserverQuery?

    func begin() {
        let heart = HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
            _, completion, _ in completion()
        }
        let sleep = HKObserverQuery(  // finds never-stopped
            sampleType: HKCategoryType(.sleepAnalysis), predicate: nil
        ) { _, completion, _ in completion() }
        store.execute(heart)
        store.execute(sleep)
        self.heart = heart
        self.sleep = sleep
    }

    deinit {
        if let heart { store.stop(heart) }
    }
}

actor Feed {
    private let store: HKHealthStore
    private var query: HKAnchoredObjectQuery?

    init(store: HKHealthStore) { self.store = store }

    func begin(_ handle: @escaping ([HKSample]?, [HKDeletedObject]?) -> Void) {
        query = HKAnchoredObjectQuery(  // finds never-stopped
            type: HKQuantityType(.stepCount), predicate: nil, anchor: nil, limit: 10
        ) { _, added, deleted, _, _ in handle(added, deleted) }
        query?.updateHandler = { _, added, deleted, _, _ in handle(added, deleted) }
        guard let query else { return }
        store.execute(query)
    }

    func pause() { query = nil }
}

final class ManyObservers {
    private let store: HKHealthStore
    private var running: [HKSampleType: HKQuery] = [:]

    init(store: HKHealthStore) { self.store = store }

    func begin(_ types: [HKSampleType]) {
        for type in types {
            let query = HKObserverQuery(sampleType: type, predicate: nil) {  // finds never-stopped
                _, completion, _ in completion()
            }
            running[type] = query
            store.execute(query)
        }
    }
}

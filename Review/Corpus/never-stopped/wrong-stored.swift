// The query is stored, as if to stop it, and never is.
import HealthKit
import UIKit

class HealthController: UIViewController {
    var healthStore: HKHealthStore!
    var query: HKObserverQuery?

    override func viewDidLoad() {
        super.viewDidLoad()
        query = HKObserverQuery(  // finds never-stopped
            sampleType: HKQuantityType(.bodyMass), predicate: nil
        ) { [weak self] _, completionHandler, _ in
            self?.load()
            completionHandler()
        }
        healthStore.execute(query!)
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        query = nil
    }

    private func load() {}
}

actor Listener {
    private let store: HKHealthStore
    private var queries: [HKSampleType: HKQuery] = [:]

    init(store: HKHealthStore) {
        self.store = store
    }

    func listen(to types: [HKSampleType], changed: @escaping @Sendable () -> Void) {
        for type in types {
            let query = HKObserverQuery(  // finds never-stopped
                sampleType: type, predicate: nil
            ) { _, completion, _ in
                changed()
                completion()
            }
            queries[type] = query
            store.execute(query)
        }
    }
}

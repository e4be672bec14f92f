// Queries that somebody else can stop: returned, registered, given to a completion.
import HealthKit

final class Handing {
    private let store: HKHealthStore
    private let registry: QueryRegistry

    init(store: HKHealthStore, registry: QueryRegistry) {
        self.store = store
        self.registry = registry
    }

    func observe(_ type: HKSampleType) -> HKQuery {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            completion()
        }
        store.execute(query)
        return query
    }

    func register(_ type: HKSampleType) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            completion()
        }
        store.execute(query)
        registry.add(query)
    }

    func observe(_ type: HKSampleType, started: (HKQuery) -> Void) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            completion()
        }
        store.execute(query)
        started(query)
    }

    func make(_ type: HKSampleType) -> HKQuery {
        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in completion() }
    }
}

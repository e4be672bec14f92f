// The completion handed to who calls it when the work is done.
import HealthKit

final class HandingObservers {
    private let store: HKHealthStore
    private let sync: SyncService

    init(store: HKHealthStore, sync: SyncService) {
        self.store = store
        self.sync = sync
    }

    func toFunction() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [sync] _, completionHandler, error in
            sync.changed(error: error, completion: completionHandler)
        }
    }

    func toClosure() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKCategoryType(.sleepAnalysis), predicate: nil) {
            [sync] _, completion, _ in
            sync.fetchChanges { _ in
                completion()
            }
        }
    }

    func toQueue() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [sync] _, completion, _ in
            DispatchQueue.global().async {
                sync.run()
                completion()
            }
        }
    }

    func shortForm() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) { [sync] in
            sync.changed(error: $2, completion: $1)
        }
    }

    func handler() -> HKObserverQuery {
        HKObserverQuery(
            sampleType: HKQuantityType(.height), predicate: nil, updateHandler: changed)  // finds strong-self
    }

    private func changed(
        _ query: HKObserverQuery, _ completion: @escaping () -> Void, _ error: Error?
    ) {
        sync.changed(error: error, completion: completion)
    }

    func stream() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.oxygenSaturation), predicate: nil) {
            [sync] _, completion, error in
            guard error == nil else {
                sync.failed(completion)
                return
            }
            sync.pending.append(completion)
        }
    }
}

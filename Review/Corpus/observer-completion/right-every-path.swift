// The completion called whatever happens.
import HealthKit

final class FaithfulObservers {
    private let store: HKHealthStore
    private let sync: SyncService

    init(store: HKHealthStore, sync: SyncService) {
        self.store = store
        self.sync = sync
    }

    func deferred() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [weak self] _, completionHandler, error in
            defer { completionHandler() }
            guard let self, error == nil else { return }
            self.sync.run()
        }
    }

    func everyPath() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKCategoryType(.sleepAnalysis), predicate: nil) {
            [sync] _, done, error in
            if let error {
                print("observer failed: \(error)")
                done()
                return
            }
            sync.run()
            done()
        }
    }

    func inTask() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [sync] _, completion, error in
            Task {
                if error == nil {
                    await sync.weights()
                }
                completion()
            }
        }
    }

    func switched() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
            [sync] _, completion, error in
            switch error {
            case .some:
                completion()
            case .none:
                sync.run()
                completion()
            }
        }
    }

    func taskWithDefer() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.height), predicate: nil) {
            [sync] _, completion, _ in
            Task {
                defer { completion() }
                try await sync.runThrowing()
            }
        }
    }
}

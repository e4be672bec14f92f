// Completions missed in a branch, a weak self, a loop or a catch.
import HealthKit

final class BranchingObservers {
    private let store: HKHealthStore
    private let sync: SyncService
    private let defaults = UserDefaults.standard

    init(store: HKHealthStore, sync: SyncService) {
        self.store = store
        self.sync = sync
    }

    func weakTask() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [weak self] _, completion, _ in
            Task { [weak self] in
                guard let self else { return }  // finds observer-completion
                await self.sync.weights()
                completion()
            }
        }
    }

    func switched() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
            [sync, defaults] _, completion, error in  // finds observer-completion
            switch (error, defaults.bool(forKey: "syncs")) {
            case (.some(let error), _):
                print(error)
            case (nil, true):
                sync.run()
                completion()
            case (nil, false):
                completion()
            }
        }
    }

    func caught() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [sync] _, completion, _ in  // finds observer-completion
            do {
                try sync.runNow()
                completion()
            } catch {
                print("kept for later")
            }
        }
    }

    func whenEnabled() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.height), predicate: nil) {
            [sync, defaults] _, completion, error in
            if error != nil {
                completion()
                return
            }
            guard defaults.bool(forKey: "syncs") else {
                return  // finds observer-completion
            }
            sync.run()
            completion()
        }
    }
}

// Completions that nobody calls at all, or only when things go well.
import HealthKit

final class ForgetfulObservers {
    private let store: HKHealthStore
    private let sync: SyncService

    init(store: HKHealthStore, sync: SyncService) {
        self.store = store
        self.sync = sync
    }

    func ignored() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) { [sync] _, _, _ in  // finds observer-completion
            sync.run()
        }
    }

    func forgotten() -> HKObserverQuery {
        let query = HKObserverQuery(
            sampleType: HKQuantityType(.oxygenSaturation), predicate: nil
        ) { [sync] query, completionHandler, error in  // finds observer-completion
            if error == nil {
                sync.run()
            }
        }
        return query
    }

    func whenWell() -> HKObserverQuery {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
            [sync] _, completionHandler, error in  // finds observer-completion
            if error == nil {
                sync.run()
                completionHandler()
            } else {
                print("not this time")
            }
        }
    }

    func shortForm() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.height), predicate: nil) { [sync] in
            if $2 != nil { return }  // finds observer-completion
            sync.run()
            $1()
        }
    }

    func inTask() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyTemperature), predicate: nil) {
            [sync] _, completion, _ in
            Task {
                do {
                    try await sync.runThrowing()
                } catch {
                    print("sync failed")
                    return  // finds observer-completion
                }
                completion()
            }
        }
    }
}

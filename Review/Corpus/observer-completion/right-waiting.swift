// The completion called by a group, a catch and a success, or on every turn of a switch.
import HealthKit

final class WaitingObservers {
    private let store: HKHealthStore
    private let sync: SyncService

    init(store: HKHealthStore, sync: SyncService) {
        self.store = store
        self.sync = sync
    }

    func grouped() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [sync] _, completion, _ in
            let group = DispatchGroup()
            for server in sync.servers {
                group.enter()
                server.push { group.leave() }
            }
            group.notify(queue: .main, execute: completion)
        }
    }

    func caught() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [sync] _, completion, _ in
            Task {
                do {
                    try await sync.runThrowing()
                    completion()
                } catch {
                    completion()
                }
            }
        }
    }

    func ifElse() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
            [sync] query, completion, error in
            if let error = error {
                print("stopped: \(error)")
                completion()
            } else {
                sync.run()
                completion()
            }
        }
    }

    func earlyCall() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.height), predicate: nil) {
            [weak self] _, completion, error in
            completion()
            guard error == nil, let self else { return }
            self.sync.run()
        }
    }

    func forwarded(to wake: @escaping (HKObserverQueryCompletionHandler?) -> Void)
        -> HKObserverQuery
    {
        HKObserverQuery(sampleType: .workoutType(), predicate: nil) { _, completion, _ in
            wake(completion)
        }
    }
}

// Observers that leave on an error, or on nothing to do, without calling completion.
import HealthKit

final class Observers {
    private let store: HKHealthStore
    private let sync: SyncService
    private var isPaused = false

    init(store: HKHealthStore, sync: SyncService) {
        self.store = store
        self.sync = sync
    }

    func steps() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [sync] _, completionHandler, error in
            if let error {
                print("observer failed: \(error)")
                return  // finds observer-completion
            }
            sync.run()
            completionHandler()
        }
    }

    func sleep() -> HKObserverQuery {
        return HKObserverQuery(
            sampleType: HKCategoryType(.sleepAnalysis), predicate: nil,
            updateHandler: { [weak self] query, done, error in
                guard error == nil else {
                    self?.store.stop(query)
                    return  // finds observer-completion
                }
                self?.sync.run()
                done()
            })
    }

    func weight() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [weak self] _, completion, _ in
            guard let self, !self.isPaused else { return }  // finds observer-completion
            Task {
                await self.sync.weights()
                completion()
            }
        }
    }

    func several(_ types: [HKSampleType]) -> HKObserverQuery {
        let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        return HKObserverQuery(queryDescriptors: descriptors) {
            [sync] _, changed, completion, _ in
            guard let changed else {
                print("nothing changed")
                return  // finds observer-completion
            }
            sync.run(changed)
            completion()
        }
    }
}

// The completion handler called also where the object is gone.
import HealthKit

final class KeepingObservers {
    private let store: HKHealthStore
    private let sync: SyncService

    init(store: HKHealthStore, sync: SyncService) { (self.store, self.sync) = (store, sync) }

    func unwrapped() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [weak self] _, done, _ in
            guard let self else { return done() }
            self.handle(done)
        }
    }

    func fallback() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [weak self] _, done, _ in
            self?.handle(done) ?? done()
        }
    }

    func afterwards() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
            [weak self] _, done, _ in
            Task {
                await self?.sync.weights()
                done()
            }
        }
    }

    func branches() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.height), predicate: nil) {
            [weak self] _, done, error in
            if let self, error == nil { self.handle(done) } else { done() }
        }
    }

    private func handle(_ done: @escaping () -> Void) { sync.fetch { _ in done() } }
}

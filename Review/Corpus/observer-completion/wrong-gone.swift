// The completion handler given to an object that may be gone.
import HealthKit

protocol WakeDelegate: AnyObject {
    func woken(_ done: @escaping () -> Void)
}

final class LosingObservers {
    private let store: HKHealthStore
    private let sync: SyncService
    weak var delegate: (any WakeDelegate)?

    init(store: HKHealthStore, sync: SyncService) { (self.store, self.sync) = (store, sync) }

    func handed() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
            [weak self] _, done, _ in
            self?.handle(done)  // finds observer-completion
        }
    }

    func inClosure() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
            [weak self] _, completion, error in
            if error != nil { return completion() }
            self?.sync.fetch { _ in  // finds observer-completion
                completion()
            }
        }
    }

    func inTask() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
            [weak self] _, completion, _ in
            Task { await self?.later(completion) }  // finds observer-completion
        }
    }

    func toDelegate() -> HKObserverQuery {
        HKObserverQuery(sampleType: HKQuantityType(.height), predicate: nil) {
            [weak self] _, completion, _ in
            guard let self else { return completion() }
            self.delegate?.woken(completion)  // finds observer-completion
        }
    }

    private func handle(_ done: @escaping () -> Void) { sync.fetch { _ in done() } }
    private func later(_ done: @escaping () -> Void) async { done() }
}

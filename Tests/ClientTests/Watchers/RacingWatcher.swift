import Foundation
import HealthKit

/// A watcher that reads from the stored anchor on each wake and completes the wake at once. If a
/// read is still running, the next one starts at the same anchor. Apps do this; ``HealthWatcher``
/// is correct.
final class RacingWatcher: @unchecked Sendable {
    /// Where a wake reads: in the observer's handler, or in a task that it starts.
    enum ReadContext: CaseIterable {
        case handler, task
    }

    private let context: ReadContext
    private let lock = NSLock()
    private var anchor: HKQueryAnchor?
    private var wakes = 0
    private var handled: [Double] = []
    private let healthStore: HKHealthStore
    private let type = HKQuantityType(.stepCount)
    private var query: HKObserverQuery?

    /// Called before received changes are handled.
    var willHandle: @Sendable () -> Void = {}

    init(healthStore: HKHealthStore, readsIn context: ReadContext) {
        self.healthStore = healthStore
        self.context = context
    }

    deinit { query.map(healthStore.stop) }

    var wakeCount: Int { lock.withLock { wakes } }
    var counts: [Double] { lock.withLock { handled } }
    var hasAnchor: Bool { lock.withLock { anchor != nil } }

    func start() {
        let query = HKObserverQuery(sampleType: type, predicate: nil) {
            [weak self] _, completion, _ in
            switch self?.context {
            case .task: Task { self?.readChanges() }
            default: self?.readChanges()
            }
            completion()
        }
        healthStore.execute(query)
        self.query = query
    }

    private func readChanges() {
        let anchor = lock.withLock { self.anchor }
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, deleted, newAnchor, _ in
            guard let self else { return }
            let samples = (samples ?? []).compactMap { $0 as? HKQuantitySample }
            if !samples.isEmpty { willHandle() }
            lock.withLock {
                handled += samples.map { $0.quantity.doubleValue(for: .count()) }
                handled += (deleted ?? []).map { _ in 0 }
                self.anchor = newAnchor ?? HKQueryAnchor(fromValue: 0)
            }
        }
        healthStore.execute(query)
        lock.withLock { wakes += 1 }
    }
}

import Foundation
import HealthKit

/// Additions and deletions, read by one anchored query whenever one observer is called.
final class HealthWatcher: @unchecked Sendable {
    // Handlers and callers run concurrently. The lock protects the properties below.
    private let lock = NSLock()
    private var anchor: HKQueryAnchor?
    private var log: [String] = []
    private var query: HKObserverQuery?
    private var reading = ReadState.idle
    private var completions: [() -> Void] = []

    /// Two concurrent reads would start at the same anchor and report the same changes twice.
    private enum ReadState { case idle, once, onceMore }

    private let healthStore: HKHealthStore
    private let types: [HKSampleType] = [
        HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.stepCount),
        HKCategoryType(.sleepAnalysis),
    ]

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    deinit {
        if let query { healthStore.stop(query) }
    }

    var entries: [String] { lock.withLock { log } }

    func start() {
        let descriptors = types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        let query = HKObserverQuery(queryDescriptors: descriptors) {
            [weak self] _, _, completion, error in
            guard let self, error == nil else {
                completion()
                return
            }
            handleUpdate(descriptors, completion)
        }
        for type in types {
            healthStore.enableBackgroundDelivery(for: type, frequency: .immediate) {
                [weak self] success, _ in
                if !success { self?.note("no background delivery of \(type.identifier)") }
            }
        }
        healthStore.execute(query)
        lock.withLock { self.query = query }
    }

    func stop() {
        guard let query = lock.withLock({ query }) else { return }
        healthStore.stop(query)
    }

    private func handleUpdate(
        _ descriptors: [HKQueryDescriptor], _ completion: @escaping () -> Void
    ) {
        let isIdle = lock.withLock {
            completions.append(completion)
            defer { reading = reading == .idle ? .once : .onceMore }
            return reading == .idle
        }
        if isIdle { readChanges(descriptors) }
    }

    private func readChanges(_ descriptors: [HKQueryDescriptor]) {
        let query = HKAnchoredObjectQuery(
            queryDescriptors: descriptors, anchor: lock.withLock { anchor },
            limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, deleted, newAnchor, _ in
            guard let self else { return }
            for sample in samples ?? [] { handle(sample) }
            for object in deleted ?? [] { note("deleted \(object.uuid)") }
            // Last, so that after a crash above the same changes are read again.
            lock.lock()
            anchor = newAnchor ?? anchor
            let isWokenAgain = reading == .onceMore
            reading = isWokenAgain ? .once : .idle
            let done = isWokenAgain ? [] : completions
            if !isWokenAgain { completions = [] }
            lock.unlock()
            // The system considers the wake handled from here on.
            for completion in done { completion() }
            if isWokenAgain { readChanges(descriptors) }
        }
        healthStore.execute(query)
    }

    private func handle(_ sample: HKSample) {
        if let sample = sample as? HKQuantitySample {
            switch sample.quantityType {
            case HKQuantityType(.dietaryEnergyConsumed):
                note("\(sample.quantity.doubleValue(for: .kilocalorie())) kcal")
            case HKQuantityType(.stepCount):
                note("\(sample.quantity.doubleValue(for: .count())) steps")
            default: break
            }
        } else if let sample = sample as? HKCategorySample,
            let stage = HKCategoryValueSleepAnalysis(rawValue: sample.value)
        {
            note(HKCategoryValueSleepAnalysis.allAsleepValues.contains(stage) ? "asleep" : "awake")
        }
    }

    private func note(_ text: String) { lock.withLock { log.append(text) } }
}

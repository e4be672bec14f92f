// Samples that only feed what a screen shows, until the next ones come: worth a note.
import HealthKit

@MainActor
final class ShownSamples {
    private let store: HKHealthStore
    private var anchor: HKQueryAnchor?
    private var rate = 0
    private var count = 0

    init(store: HKHealthStore) { self.store = store }

    func average(_ type: HKQuantityType) -> HKQuery {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { _, _, _, _, _ in }
        query.updateHandler = { [weak self] _, samples, _, newAnchor, _ in  // finds ignored-deletions
            guard let samples = samples as? [HKQuantitySample] else { return }
            let unit = HKUnit.count().unitDivided(by: .minute())
            let rates = samples.map { $0.quantity.doubleValue(for: unit) }
            let average = rates.reduce(0, +) / Double(max(1, rates.count))
            Task { @MainActor in
                self?.rate = Int(average)
                self?.anchor = newAnchor
            }
        }
        return query
    }

    func counting(_ type: HKQuantityType) -> HKQuery {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { _, _, _, _, _ in }
        query.updateHandler = { [weak self] _, samples, _, _, _ in  // finds ignored-deletions
            let number = samples?.count ?? 0
            Task { @MainActor in self?.count = number }
        }
        return query
    }

    func each(_ type: HKQuantityType) -> HKQuery {
        let query = HKAnchoredObjectQuery(
            type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { _, _, _, _, _ in }
        query.updateHandler = { [weak self] _, samples, _, _, _ in  // finds ignored-deletions
            self?.show(samples)
        }
        return query
    }

    nonisolated private func show(_ samples: [HKSample]?) {
        guard let samples = samples as? [HKQuantitySample] else { return }
        for sample in samples {
            let rate = sample.quantity.doubleValue(for: .count().unitDivided(by: .minute()))
            Task { @MainActor in self.rate = Int(rate) }
        }
    }
}

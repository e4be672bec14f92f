// Only the newest value is shown, or what one answer without an anchor holds.
import HealthKit

final class PulseDisplay {
    private let store: HKHealthStore
    private var anchor: HKQueryAnchor?
    private var running: HKAnchoredObjectQuery?
    private(set) var pulse = 0.0
    private(set) var rows: [HKSample] = []
    private(set) var lastAnchor: HKQueryAnchor?

    init(store: HKHealthStore) { self.store = store }

    func start() {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: anchor,
            limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, _, newAnchor, _ in
            self?.anchor = newAnchor
            self?.show(samples)
        }
        query.updateHandler = { [weak self] _, samples, _, newAnchor, _ in
            guard let samples = samples as? [HKQuantitySample], !samples.isEmpty else { return }
            self?.anchor = newAnchor
            let newest = samples.sorted { $0.endDate < $1.endDate }.last
            DispatchQueue.main.async { self?.pulse = newest?.beats ?? 0 }
        }
        running = query
        store.execute(query)
    }

    private func show(_ samples: [HKSample]?) {
        guard let found = samples as? [HKQuantitySample],
            let newest = found.max(by: { $0.endDate < $1.endDate })
        else { return }
        DispatchQueue.main.async { self.pulse = newest.beats }
    }

    func follow() async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.heartRate))], anchor: anchor)
        for try await update in descriptor.results(for: store) {
            anchor = update.newAnchor
            guard let newest = update.addedSamples.last else { continue }
            pulse = newest.beats
        }
    }

    /// One answer, from the beginning: it replaces what is shown, whatever becomes of the anchor.
    func reload(since start: HKQueryAnchor? = nil) {
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: start,
            limit: HKObjectQueryNoLimit
        ) { [weak self] _, samples, _, newAnchor, _ in
            self?.lastAnchor = newAnchor
            DispatchQueue.main.async { self?.rows = samples ?? [] }
        }
        store.execute(query)
    }

    func appear() { reload() }

    deinit {
        if let running { store.stop(running) }
    }
}

extension HKQuantitySample {
    fileprivate var beats: Double { quantity.doubleValue(for: HKUnit(from: "count/min")) }
}

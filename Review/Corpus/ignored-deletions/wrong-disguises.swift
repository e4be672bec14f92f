// Deletions dropped by functions, streams and unwrapping that leads nowhere.
import HealthKit

final class DisguisedReader {
    let store: HKHealthStore
    private var query: HKAnchoredObjectQuery?

    init(store: HKHealthStore) { self.store = store }

    func begin(at anchor: HKQueryAnchor?) {
        query = HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchor,
            limit: HKObjectQueryNoLimit, resultsHandler: Self.received)
        query?.updateHandler = { [weak self] _, samples, gone, _, _ in  // finds ignored-deletions
            guard let samples, let gone else { return }
            self?.keep(samples)
        }
    }

    deinit {
        if let query { store.stop(query) }
    }

    private static func received(
        _ query: HKAnchoredObjectQuery, _ samples: [HKSample]?,
        _ deleted: [HKDeletedObject]?,  // finds ignored-deletions
        _ anchor: HKQueryAnchor?, _ error: (any Error)?
    ) {
        guard let samples = samples as? [HKQuantitySample] else { return }
        Ledger.shared.keep(samples)
    }

    func short(at anchor: HKQueryAnchor?) {
        store.execute(
            HKAnchoredObjectQuery(
                type: .workoutType(), predicate: nil, anchor: anchor, limit: 0
            ) {  // finds ignored-deletions
                self.keep($1 ?? [])
                self.remember($3)
            })
    }

    func stream(at anchor: HKQueryAnchor?) async throws {
        let updates = HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: anchor
        ).results(for: store)
        for try await update in updates {
            keep(update.addedSamples)  // finds ignored-deletions
            remember(update.newAnchor)
        }
    }

    func changes(at anchor: HKQueryAnchor?) async throws
        -> HKAnchoredObjectQueryDescriptor<HKWorkout>.Result
    {
        try await HKAnchoredObjectQueryDescriptor(predicates: [.workout()], anchor: anchor)
            .result(for: store)
    }

    func refresh(at anchor: HKQueryAnchor?) async throws {
        let found = try await changes(at: anchor)
        keep(found.addedSamples)  // finds ignored-deletions
        remember(found.newAnchor)
    }

    private func take(_ result: HKAnchoredObjectQueryDescriptor<HKWorkout>.Result) {
        keep(result.addedSamples)  // finds ignored-deletions
        remember(result.newAnchor)
    }

    private func keep(_ samples: [HKSample]) { print(samples.count) }
    private func remember(_ anchor: HKQueryAnchor?) { print(anchor as Any) }
}

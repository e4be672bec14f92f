// Anchored descriptors and continuations whose deletions nobody reads.
import HealthKit

struct ChangeFetcher {
    let store: HKHealthStore

    func workouts(since anchor: HKQueryAnchor?) async throws -> ([HKWorkout], HKQueryAnchor) {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: anchor)
        let result = try await descriptor.result(for: store)
        return (result.addedSamples, result.newAnchor)  // finds ignored-deletions
    }

    func glucose(into cache: GlucoseCache) async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bloodGlucose))],
            anchor: await cache.anchor)
        for try await update in descriptor.results(for: store) {
            guard !update.addedSamples.isEmpty else { continue }  // finds ignored-deletions
            await cache.insert(update.addedSamples)
            await cache.setAnchor(update.newAnchor)
        }
    }

    func sleep(since anchor: HKQueryAnchor?) async throws -> [HKCategorySample] {
        try await HKAnchoredObjectQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis))], anchor: anchor
        ).result(for: store).addedSamples  // finds ignored-deletions
    }

    func steps(since anchor: HKQueryAnchor?) async throws -> ([HKSample], HKQueryAnchor?) {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor,
                limit: HKObjectQueryNoLimit
            ) { _, added, _, newAnchor, error in  // finds ignored-deletions
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: (added ?? [], newAnchor))
                }
            }
            store.execute(query)
        }
    }
}

// Async changes with both halves used, or handed whole to who uses them.
import HealthKit

struct ChangeReader {
    let store: HKHealthStore

    func apply(to mirror: Mirror, since anchor: HKQueryAnchor?) async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.workout()], anchor: anchor)
        let result = try await descriptor.result(for: store)
        try await mirror.insert(result.addedSamples)
        try await mirror.remove(result.deletedObjects.map(\.uuid))
        try await mirror.keep(result.newAnchor)
    }

    func follow(_ mirror: Mirror) async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(.bloodGlucose))], anchor: nil)
        for try await update in descriptor.results(for: store) {
            try await mirror.apply(update)
        }
    }

    func changes(since anchor: HKQueryAnchor?) async throws
        -> HKAnchoredObjectQueryDescriptor<HKCategorySample>.Result
    {
        try await HKAnchoredObjectQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis))], anchor: anchor
        ).result(for: store)
    }

    func legacy(
        since anchor: HKQueryAnchor?
    ) async throws -> (added: [HKSample], deleted: [HKDeletedObject], anchor: HKQueryAnchor?) {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.stepCount), predicate: nil, anchor: anchor, limit: 0
            ) { _, added, deleted, newAnchor, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: (added ?? [], deleted ?? [], newAnchor))
                }
            }
            store.execute(query)
        }
    }
}

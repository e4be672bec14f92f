import HealthKit
struct Changes { var added: [HKSample]; var deleted: [HKDeletedObject]; var anchor: HKQueryAnchor? }
func changes(_ store: HKHealthStore, since anchor: HKQueryAnchor?) async throws -> Changes {
    try await withCheckedThrowingContinuation { continuation in
        store.execute(HKAnchoredObjectQuery(
            type: .workoutType(), predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
        ) { _, added, deleted, newAnchor, error in
            if let error { continuation.resume(throwing: error); return }
            continuation.resume(returning: Changes(added: added ?? [], deleted: deleted ?? [], anchor: newAnchor))
        })
    }
}
func whole(_ store: HKHealthStore, _ handle: @escaping (HKAnchoredObjectQueryDescriptor<HKWorkout>.Result) async -> Void) async throws {
    let descriptor = HKAnchoredObjectQueryDescriptor(predicates: [.workout()], anchor: nil)
    for try await update in descriptor.results(for: store) { await handle(update) }
}

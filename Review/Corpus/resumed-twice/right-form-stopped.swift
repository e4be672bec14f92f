import HealthKit
func latest(_ store: HKHealthStore) async -> [HKSample] {
    await withCheckedContinuation { continuation in
        let query = HKAnchoredObjectQuery(
            type: HKQuantityType(.heartRate), predicate: nil, anchor: nil, limit: 1
        ) { _, _, _, _, _ in }
        query.updateHandler = { query, samples, deleted, _, _ in
            let gone = Set((deleted ?? []).map(\.uuid))
            continuation.resume(returning: (samples ?? []).filter { !gone.contains($0.uuid) })
            store.stop(query)
        }
        store.execute(query)
    }
}

import HealthKit
final class Careful {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func read(_ anchor: HKQueryAnchor?) {
        store.execute(HKAnchoredObjectQuery(
            type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchor, limit: 200
        ) { [self] _, added, deleted, newAnchor, _ in
            for sample in added ?? [] { sync(sample.uuid) }
            for object in deleted ?? [] { forget(object.uuid) }
            saveAnchor(newAnchor)
        })
        store.execute(HKAnchoredObjectQuery(
            type: HKQuantityType(.height), predicate: nil, anchor: nil, limit: 200
        ) { [self] _, added, deleted, newAnchor, _ in
            let ids = (added ?? []).map(\.uuid), gone = (deleted ?? []).map(\.uuid)
            Task {
                try await upload(ids, gone)
                saveAnchor(newAnchor)
            }
        })
    }
    private func sync(_ id: UUID) {}
    private func forget(_ id: UUID) {}
    private func upload(_ ids: [UUID], _ gone: [UUID]) async throws {}
    private func saveAnchor(_ anchor: HKQueryAnchor?) {}
}

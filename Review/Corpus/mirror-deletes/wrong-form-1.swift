import HealthKit
struct LocalWeight { let uuid: UUID }
final class Reconciler {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func reconcile(local: [LocalWeight], remote: [HKQuantitySample]) async throws {
        let known = Set(local.map(\.uuid))
        for sample in remote where !known.contains(sample.uuid) {
            try await store.delete(sample) // finds mirror-deletes
        }
    }
}

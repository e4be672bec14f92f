import HealthKit
final class Ordered {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func begin(_ type: HKSampleType, _ changed: @escaping () -> Void) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            changed()
            completion()
        }
        store.execute(query)
        store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }
    }
    func enableOnly(_ type: HKSampleType) async throws {
        try await store.enableBackgroundDelivery(for: type, frequency: .daily)
    }
}

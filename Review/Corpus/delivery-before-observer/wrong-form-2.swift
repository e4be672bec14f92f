import HealthKit
actor Wake {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func setUp(_ changed: @escaping @Sendable () -> Void) async throws {
        let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) { _, completion, _ in
            changed()
            completion()
        }
        try await store.enableBackgroundDelivery(for: .workoutType(), frequency: .immediate) // finds delivery-before-observer
        store.execute(query)
    }
}

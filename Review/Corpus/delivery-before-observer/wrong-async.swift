// The same order in async code and in the callback of the authorization.
import HealthKit

actor GlucoseWatcher {
    private let store: HKHealthStore
    private var query: HKObserverQuery?

    init(store: HKHealthStore) {
        self.store = store
    }

    func begin() async throws {
        let type = HKQuantityType(.bloodGlucose)
        try await store.requestAuthorization(toShare: [], read: [type])
        try await store.enableBackgroundDelivery(for: type, frequency: .immediate)  // finds delivery-before-observer
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            Task {
                await GlucoseUpload.run()
                completion()
            }
        }
        store.execute(query)
        self.query = query
    }

    func end() {
        if let query { store.stop(query) }
    }
}

struct SleepWatcher {
    let store: HKHealthStore
    let changed: @Sendable () -> Void

    func begin() -> HKObserverQuery {
        let type = HKCategoryType(.sleepAnalysis)
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
            changed()
            completion()
        }
        store.requestAuthorization(toShare: nil, read: [type]) { _, error in
            guard error == nil else { return }
            store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }  // finds delivery-before-observer
            store.execute(query)
        }
        return query
    }
}

import HealthKit

final class WeightStore {

    private let store: HKHealthStore
    private var observer: HKObserverQuery?
    private let type = HKQuantityType(.bodyMass)

    init?() {
        guard HKHealthStore.isHealthDataAvailable() else { return nil }
        store = HKHealthStore()
    }

    func ask() async throws {
        try await store.requestAuthorization(toShare: [type], read: [type]) // finds usage-strings, types-never-used
    }

    func observe(_ changed: @escaping @Sendable () -> Void) {
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, _ in
            changed()
            done()
        }
        store.execute(query)
        observer = query
        store.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in } // finds usage-strings
    }

    func end() {
        if let observer { store.stop(observer) }
    }
}

// One or the other, deliveries that end, a function that passes the call on.
import HealthKit

final class Choices {
    static let shared = Choices(store: StoreProvider.store)
    private let store: HKHealthStore
    private let type = HKQuantityType(.bloodGlucose)

    init(store: HKHealthStore) { self.store = store }

    func begin(inBackground: Bool) {
        if inBackground {
            store.enableBackgroundDelivery(for: type, frequency: .immediate) { _, _ in }
        } else {
            store.execute(observer())
        }
    }

    func deliver() async throws {
        try await store.enableBackgroundDelivery(for: type, frequency: .hourly)
    }

    func replace() {
        store.disableBackgroundDelivery(for: type) { _, _ in }
        store.execute(observer())
        store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }
    }

    func asked() {
        store.requestAuthorization(toShare: nil, read: [type]) { _, _ in
            self.store.enableBackgroundDelivery(for: self.type, frequency: .hourly) { _, _ in }
        }
        store.execute(observer())
    }

    private func observer() -> HKObserverQuery {
        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in completion() }
    }
}

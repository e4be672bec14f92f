// A protocol's function of the same name that only passes the call on: its callers observe.
import HealthKit

protocol Delivering {
    func enableBackgroundDelivery(for type: HKObjectType, frequency: HKUpdateFrequency) async throws
}

struct Delivery: Delivering {
    let store: HKHealthStore

    func enableBackgroundDelivery(for type: HKObjectType, frequency: HKUpdateFrequency) async throws {
        try await store.enableBackgroundDelivery(for: type, frequency: frequency)
    }

    func enableBackgroundDelivery() { print("no store's") }
    func enable() { enableBackgroundDelivery() }
}

import HealthKit
struct Wakes {
    let store: HKHealthStore
    func enable() {
        store.enableBackgroundDelivery(for: HKQuantityType(.stepCount), frequency: .hourly) { _, _ in } // finds delivery-without-observer
    }
}

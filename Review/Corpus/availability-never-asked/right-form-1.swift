import HealthKit
enum Health {
    static var store: HKHealthStore? = HKHealthStore.isHealthDataAvailable() ? HKHealthStore() : nil
}

// No store where there is no health data.
import HealthKit

enum Health {
    static let store: HKHealthStore? =
        HKHealthStore.isHealthDataAvailable() ? HKHealthStore() : nil
}

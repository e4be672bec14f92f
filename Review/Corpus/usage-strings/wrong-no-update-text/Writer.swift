// Reads and writes weights; the Info.plist explains the reading only.
import HealthKit

final class Writer {
    private let store: HKHealthStore
    private let weight = HKQuantityType(.bodyMass)

    init(store: HKHealthStore) {
        self.store = store
    }

    func authorize(completion: @escaping (Error?) -> Void) {
        store.requestAuthorization(toShare: [weight], read: [weight]) { _, error in  // finds usage-strings
            completion(error)
        }
    }
}

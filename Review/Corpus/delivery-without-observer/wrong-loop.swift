// Background delivery for a list of types, in an extension of the store.
import HealthKit

extension HKHealthStore {
    func enableDelivery(for types: Set<HKObjectType>) {
        types.forEach { type in
            enableBackgroundDelivery(for: type, frequency: .immediate) { _, error in  // finds delivery-without-observer
                if let error { print("no delivery for \(type): \(error)") }
            }
        }
    }
}

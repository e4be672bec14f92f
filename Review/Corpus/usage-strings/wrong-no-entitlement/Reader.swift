// The texts are there, the entitlement isn't: the request fails on every device.
import HealthKit

func authorize(_ store: HKHealthStore, completion: @escaping (Error?) -> Void) {
    let types: Set<HKObjectType> = [HKQuantityType(.heartRate)]
    store.requestAuthorization(toShare: nil, read: types) { _, error in  // finds usage-strings
        completion(error)
    }
}

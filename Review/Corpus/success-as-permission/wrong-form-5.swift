import HealthKit
func remember(_ store: HKHealthStore) {
    store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)]) { ok, error in
        UserDefaults.standard.set(ok, forKey: "healthPermissionGranted") // finds success-as-permission
    }
}

import HealthKit
func ask(_ store: HKHealthStore, _ show: @escaping (String) -> Void) {
    store.requestAuthorization(toShare: [], read: [HKQuantityType(.bodyMass)]) { granted, error in
        guard granted else { // finds success-as-permission
            show("You denied access to Health. Please turn it on in Settings.")
            return
        }
        show("Access granted")
    }
}

import HealthKit
final class Setup {
    let store: HKHealthStore
    var permissionGranted = false
    init(store: HKHealthStore) { self.store = store }
    func ask() async {
        do {
            try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.heartRate)])
            permissionGranted = true // finds success-as-permission
        } catch {
            permissionGranted = false
        }
    }
}

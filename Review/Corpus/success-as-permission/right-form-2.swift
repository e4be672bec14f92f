import HealthKit
final class Onboarding {
    let store: HKHealthStore
    var hasAsked = false
    init(store: HKHealthStore) { self.store = store }
    func ask() async {
        do {
            try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.heartRate)])
            hasAsked = true
        } catch {
            print("Not shown: \(error)")
        }
    }
}

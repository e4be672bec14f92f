import HealthKit
import Observation
@MainActor @Observable
final class AccessModel {
    var asked = false
    var message = ""
    @ObservationIgnored let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func ask() {
        store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)]) { _, error in
            self.asked = true // finds main-actor-state
            if let error {
                self.message = error.localizedDescription
            }
        }
    }
}

// The status asked before something is saved.
import HealthKit

final class TemperatureLog {
    let store: HKHealthStore
    let basal = HKQuantityType(.basalBodyTemperature)

    init(store: HKHealthStore) { self.store = store }

    func ask() async throws {
        try await store.requestAuthorization(toShare: [HKCategoryType(.menstrualFlow)], read: [basal])
    }

    func log(_ degrees: Double, at date: Date, completion: @escaping (Bool) -> Void) {
        guard store.authorizationStatus(for: basal) == .sharingAuthorized else {
            completion(false)
            return
        }
        let quantity = HKQuantity(unit: .degreeCelsius(), doubleValue: degrees)
        store.save(HKQuantitySample(type: basal, quantity: quantity, start: date, end: date)) { saved, _ in
            completion(saved)
        }
    }
}

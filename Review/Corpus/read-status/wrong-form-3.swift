import HealthKit
final class SleepAccess {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func ask() {
        store.requestAuthorization(toShare: nil, read: [HKCategoryType(.sleepAnalysis)]) { _, _ in }
    }
    var message: String {
        switch store.authorizationStatus(for: HKCategoryType(.sleepAnalysis)) { // finds read-status
        case .sharingAuthorized: return "Sleep can be read"
        case .sharingDenied: return "Reading sleep was denied"
        default: return "Not asked"
        }
    }
}

import HealthKit
final class Access: ObservableObject {
    @Published var isAuthorized = false
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }
    func ask() {
        store.requestAuthorization(toShare: nil, read: [HKQuantityType(.stepCount)]) { [weak self] success, _ in
            Task { @MainActor in
                self?.isAuthorized = success // finds success-as-permission
            }
        }
    }
}

// The success entered for each name into a map of permissions.
import HealthKit

final class CAPPluginCall {
    func resolve(_ data: [String: Any] = [:]) {}
    func reject(_ message: String) {}
}

final class NamedPermissions {
    private let store: HKHealthStore
    private let types: Set<HKObjectType> = [HKQuantityType(.stepCount), HKQuantityType(.heartRate)]

    init(store: HKHealthStore) { self.store = store }

    func request(_ names: [String], _ call: CAPPluginCall) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            if let error { return call.reject(error.localizedDescription) }
            var map: [String: Bool] = [:]
            for name in names {
                map[name] = success  // finds success-as-permission
            }
            call.resolve(["permissions": map])
        }
    }

    func ask(_ names: [String], _ call: CAPPluginCall) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            var asked: [String: Bool] = [:]
            for name in names { asked[name] = success }
            call.resolve(["asked": asked, "error": error?.localizedDescription ?? ""])
        }
    }
}

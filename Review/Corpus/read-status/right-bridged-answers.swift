// The status told to another language for what it is: about sharing, or as it is.
import HealthKit

typealias FlutterResult = (Any?) -> Void
typealias RCTPromiseResolveBlock = (Any?) -> Void

final class HonestSide {
    private let store: HKHealthStore
    private let types: [String: HKQuantityType] = [
        "weight": HKQuantityType(.bodyMass), "glucose": HKQuantityType(.bloodGlucose),
    ]

    init(store: HKHealthStore) { self.store = store }

    func ask(result: @escaping FlutterResult) {
        let all = Set(types.values)
        store.requestAuthorization(toShare: all, read: all) { _, error in
            result(error?.localizedDescription)
        }
    }

    func hasWritePermission(_ name: String, result: @escaping FlutterResult) {
        guard let type = types[name] else { return result(false) }
        result(store.authorizationStatus(for: type) == .sharingAuthorized)
    }

    /// Says nothing about reading.
    func hasPermissions(_ names: [String], kinds: [Int], result: @escaping FlutterResult) {
        for (name, kind) in zip(names, kinds) {
            guard let type = types[name] else { return result(false) }
            guard kind == 1 else { return result(nil) }
            if store.authorizationStatus(for: type) != .sharingAuthorized { return result(false) }
        }
        result(true)
    }

    func permissionStates(_ names: [String], result: @escaping FlutterResult) {
        var states: [String: [String: Bool]] = [:]
        for name in names {
            guard let type = types[name] else { continue }
            let status = store.authorizationStatus(for: type)
            states[name] = ["write": status == .sharingAuthorized]
        }
        result(states)
    }

    @objc func authorizationStatusFor(_ name: String, resolve: RCTPromiseResolveBlock) {
        guard let type = types[name] else { return resolve(-1) }
        resolve(store.authorizationStatus(for: type).rawValue)
    }
}

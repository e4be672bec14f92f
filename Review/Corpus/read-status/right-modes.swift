// A check that asks about writing only.
import Flutter
import HealthKit

final class RecordsPlugin: NSObject, FlutterPlugin {
    private let store = HKHealthStore()
    private let types: [String: HKSampleType] = ["STEPS": HKQuantityType(.stepCount)]

    static func register(with registrar: FlutterPluginRegistrar) {}

    func hasPermissions(_ names: [String], _ modes: [Int], _ result: @escaping FlutterResult) {
        for (name, mode) in zip(names, modes) {
            guard let type = types[name] else { continue }
            if mode == 0 { return result(nil) }
            if mode == 1 {
                guard store.authorizationStatus(for: type) == .sharingAuthorized else {
                    return result(false)
                }
            }
        }
        result(true)
    }

    func state(_ permission: String, _ type: HKSampleType) -> Bool? {
        switch permission {
        case "read": return nil
        case "write": return store.authorizationStatus(for: type) == .sharingAuthorized
        default: return nil
        }
    }
}

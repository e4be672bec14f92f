// A check that tells reading from writing, and judges both by the status.
import Flutter
import HealthKit

final class VitalsPlugin: NSObject, FlutterPlugin {
    private let store = HKHealthStore()
    private let types: [String: HKSampleType] = ["STEPS": HKQuantityType(.stepCount)]

    static func register(with registrar: FlutterPluginRegistrar) {}

    func hasPermissions(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let names = arguments["types"] as? [String],
            let modes = arguments["modes"] as? [Int]
        else { return result(false) }
        for (name, mode) in zip(names, modes) {
            guard let type = types[name] else { continue }
            if mode == 0 {
                if store.authorizationStatus(for: type) != .sharingAuthorized {  // finds read-status
                    return result(false)
                }
            } else if store.authorizationStatus(for: type) != .sharingAuthorized {
                return result(false)
            }
        }
        result(true)
    }

    func check(_ name: String, access: Int, _ result: @escaping FlutterResult) {
        guard let type = types[name] else { return result(nil) }
        switch access {
        case 0, 2:
            result(store.authorizationStatus(for: type) == .sharingAuthorized)  // finds read-status
        default:
            result(nil)
        }
    }

    func status(_ permission: String) -> String {
        guard let name = permission.split(separator: "_").last, let type = types[String(name)] else {
            return "unknown"
        }
        if permission.hasPrefix("READ_") {
            switch store.authorizationStatus(for: type) {  // finds read-status
            case .sharingAuthorized: return "granted"
            case .sharingDenied: return "denied"
            default: return "prompt"
            }
        }
        return "prompt"
    }
}

enum Direction {
    case read, write
}

func isAllowed(_ direction: Direction, _ type: HKObjectType, _ healthStore: HKHealthStore) -> Bool {
    if direction == .read {
        return healthStore.authorizationStatus(for: type) == .sharingAuthorized  // finds read-status
    }
    return healthStore.authorizationStatus(for: type) == .sharingAuthorized
}

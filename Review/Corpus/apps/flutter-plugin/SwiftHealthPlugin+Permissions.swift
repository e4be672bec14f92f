// Asking, and what can be told of the answer.
import Flutter
import HealthKit

extension SwiftHealthPlugin {
    func requestAuthorization(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let names = arguments["types"] as? [String],
            let permissions = arguments["permissions"] as? [Int],
            names.count == permissions.count
        else {
            result(FlutterError(code: "ARGUMENTS", message: "types, permissions", details: nil))
            return
        }
        var toRead: Set<HKObjectType> = []
        var toWrite: Set<HKSampleType> = []
        for (name, permission) in zip(names, permissions) {
            guard let type = dataTypes[name] else { continue }
            switch permission {
            case 0: toRead.insert(type)
            case 1: toWrite.insert(type)
            default:
                toRead.insert(type)
                toWrite.insert(type)
            }
        }
        healthStore.requestAuthorization(toShare: toWrite, read: toRead) { success, error in
            DispatchQueue.main.async {
                if let error {
                    result(
                        FlutterError(
                            code: "AUTHORIZATION", message: error.localizedDescription,
                            details: nil))
                } else {
                    result(success)
                }
            }
        }
    }

    /// Whether writing is allowed; nil for reading, which HealthKit doesn't tell.
    func hasPermissions(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let names = arguments["types"] as? [String],
            let permissions = arguments["permissions"] as? [Int]
        else {
            result(FlutterError(code: "ARGUMENTS", message: "types, permissions", details: nil))
            return
        }
        for (name, permission) in zip(names, permissions) {
            guard let type = dataTypes[name] else {
                result(false)
                return
            }
            guard permission == 1 else {
                result(nil)
                return
            }
            if healthStore.authorizationStatus(for: type) != .sharingAuthorized {
                result(false)
                return
            }
        }
        result(true)
    }
}

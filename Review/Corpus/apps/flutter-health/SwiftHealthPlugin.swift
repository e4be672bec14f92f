import Flutter
import HealthKit
import UIKit

public class SwiftHealthPlugin: NSObject, FlutterPlugin {

    let healthStore = HKHealthStore()
    var healthDataTypes = [HKSampleType]()
    var heartRateEventTypes = Set<HKSampleType>()
    var dataTypesDict: [String: HKSampleType] = [:]
    var unitDict: [String: HKUnit] = [:]

    public static func register(with registrar: FlutterPluginRegistrar) {
        let channel = FlutterMethodChannel(name: "flutter_health", binaryMessenger: registrar.messenger())
        let instance = SwiftHealthPlugin()
        registrar.addMethodCallDelegate(instance, channel: channel)
    }

    public func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        initializeTypes()
        switch call.method {
        case "checkIfHealthDataAvailable": checkIfHealthDataAvailable(call: call, result: result)
        case "requestAuthorization": requestAuthorization(call: call, result: result)
        case "hasPermissions": hasPermissions(call: call, result: result)
        case "getData": getData(call: call, result: result)
        case "getTotalStepsInInterval": getTotalStepsInInterval(call: call, result: result)
        case "getIntervalData": getIntervalData(call: call, result: result)
        case "writeData": writeData(call: call, result: result)
        case "writeBloodPressure": writeBloodPressure(call: call, result: result)
        case "delete": delete(call: call, result: result)
        default: result(FlutterMethodNotImplemented)
        }
    }

    func checkIfHealthDataAvailable(call: FlutterMethodCall, result: @escaping FlutterResult) {
        result(HKHealthStore.isHealthDataAvailable())
    }

    func hasPermissions(call: FlutterMethodCall, result: @escaping FlutterResult) {
        let arguments = call.arguments as? NSDictionary
        guard let types = arguments?["types"] as? [String],
            let permissions = arguments?["permissions"] as? [Int], types.count == permissions.count
        else {
            result(FlutterError(code: "ARGUMENTS", message: "types and permissions", details: nil))
            return
        }
        for (index, type) in types.enumerated() {
            guard let sampleType = dataTypesDict[type] else { result(false); return }
            guard let success = hasPermission(type: sampleType, access: permissions[index]), success else {
                result(false)
                return
            }
        }
        result(true)
    }

    /// Reading can't be known, so it is nil.
    func hasPermission(type: HKObjectType, access: Int) -> Bool? {
        switch access {
        case 0:
            return nil
        case 1:
            return healthStore.authorizationStatus(for: type) == HKAuthorizationStatus.sharingAuthorized
        default:
            return nil
        }
    }

    func requestAuthorization(call: FlutterMethodCall, result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? NSDictionary,
            let types = arguments["types"] as? [String],
            let permissions = arguments["permissions"] as? [Int]
        else {
            result(FlutterError(code: "ARGUMENTS", message: "types", details: nil))
            return
        }
        var typesToRead = Set<HKObjectType>()
        var typesToWrite = Set<HKSampleType>()
        for (index, key) in types.enumerated() {
            guard let type = dataTypesDict[key] else { continue }
            switch permissions[index] {
            case 0: typesToRead.insert(type)
            case 1: typesToWrite.insert(type)
            default:
                typesToRead.insert(type)
                typesToWrite.insert(type)
            }
        }
        healthStore.requestAuthorization(toShare: typesToWrite, read: typesToRead) { (success, error) in
            DispatchQueue.main.async {
                result(success)
            }
        }
    }

    func delete(call: FlutterMethodCall, result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? NSDictionary,
            let key = arguments["dataTypeKey"] as? String, let type = dataTypesDict[key],
            let start = arguments["startTime"] as? NSNumber, let end = arguments["endTime"] as? NSNumber
        else {
            result(false)
            return
        }
        let dateFrom = Date(timeIntervalSince1970: start.doubleValue / 1000)
        let dateTo = Date(timeIntervalSince1970: end.doubleValue / 1000)
        let predicate = HKQuery.predicateForSamples(withStart: dateFrom, end: dateTo, options: .strictStartDate)
        let owned = HKQuery.predicateForObjects(from: HKSource.default())
        healthStore.deleteObjects(
            of: type,
            predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, owned])
        ) { success, _, error in
            DispatchQueue.main.async { result(success) }
        }
    }
}

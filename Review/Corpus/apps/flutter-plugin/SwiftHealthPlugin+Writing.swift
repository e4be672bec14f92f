// Saving and deleting what the Dart side asks for.
import Flutter
import HealthKit

extension SwiftHealthPlugin {
    func writeData(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let name = arguments["type"] as? String, let value = arguments["value"] as? Double,
            let type = dataTypes[name]
        else {
            result(FlutterError(code: "ARGUMENTS", message: "type, value", details: nil))
            return
        }
        let (start, end) = interval(arguments)
        let sample: HKObject
        if let category = type as? HKCategoryType {
            sample = HKCategorySample(type: category, value: Int(value), start: start, end: end)
        } else if let quantity = type as? HKQuantityType, let unit = units[name] {
            sample = HKQuantitySample(
                type: quantity, quantity: HKQuantity(unit: unit, doubleValue: value),
                start: start, end: end)
        } else {
            result(false)
            return
        }
        healthStore.save(sample) { success, error in
            if let error {
                print("not saved: \(error.localizedDescription)")
            }
            DispatchQueue.main.async { result(success) }
        }
    }

    func writeBloodPressure(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let systolic = arguments["systolic"] as? Double,
            let diastolic = arguments["diastolic"] as? Double
        else {
            result(FlutterError(code: "ARGUMENTS", message: "systolic, diastolic", details: nil))
            return
        }
        let (start, end) = interval(arguments)
        let unit = HKUnit.millimeterOfMercury()
        let high = HKQuantitySample(
            type: HKQuantityType(.bloodPressureSystolic),
            quantity: HKQuantity(unit: unit, doubleValue: systolic), start: start, end: end)
        let low = HKQuantitySample(
            type: HKQuantityType(.bloodPressureDiastolic),
            quantity: HKQuantity(unit: unit, doubleValue: diastolic), start: start, end: end)
        let pressure = HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: start, end: end,
            objects: [high, low])
        healthStore.save(pressure) { success, _ in
            DispatchQueue.main.async { result(success) }
        }
    }

    func delete(_ call: FlutterMethodCall, _ result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? [String: Any],
            let name = arguments["type"] as? String, let type = dataTypes[name]
        else {
            result(FlutterError(code: "ARGUMENTS", message: "type", details: nil))
            return
        }
        let (start, end) = interval(arguments)
        let ours = HKQuery.predicateForObjects(from: HKSource.default())
        let range = HKQuery.predicateForSamples(withStart: start, end: end)
        let both = NSCompoundPredicate(type: .and, subpredicates: [ours, range])
        healthStore.deleteObjects(of: type, predicate: both) { success, count, error in
            DispatchQueue.main.async { result(success) }
        }
    }
}

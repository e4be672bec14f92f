import Flutter
import HealthKit

extension SwiftHealthPlugin {

    func writeData(call: FlutterMethodCall, result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? NSDictionary,
            let value = arguments["value"] as? Double,
            let typeKey = arguments["dataTypeKey"] as? String,
            let unitKey = arguments["dataUnitKey"] as? String,
            let startDate = arguments["startTime"] as? NSNumber,
            let endDate = arguments["endTime"] as? NSNumber,
            let type = dataTypesDict[typeKey]
        else {
            result(false)
            return
        }
        let dateFrom = Date(timeIntervalSince1970: startDate.doubleValue / 1000)
        let dateTo = Date(timeIntervalSince1970: endDate.doubleValue / 1000)
        let sample: HKObject
        if let category = type as? HKCategoryType {
            sample = HKCategorySample(type: category, value: Int(value), start: dateFrom, end: dateTo)
        } else if let quantityType = type as? HKQuantityType {
            let unit = unitDict[unitKey] ?? HKUnit(from: unitKey)  // finds outside-unit
            guard quantityType.is(compatibleWith: unit) else { result(false); return }
            let quantity = HKQuantity(unit: unit, doubleValue: value)
            sample = HKQuantitySample(type: quantityType, quantity: quantity, start: dateFrom, end: dateTo)
        } else {
            result(false)
            return
        }
        HKHealthStore().save(sample) { success, error in
            if let err = error { print("Error Saving \(typeKey) Sample: \(err.localizedDescription)") }
            DispatchQueue.main.async { result(success) }
        }
    }

    func writeBloodPressure(call: FlutterMethodCall, result: @escaping FlutterResult) {
        guard let arguments = call.arguments as? NSDictionary,
            let systolic = arguments["systolic"] as? Double,
            let diastolic = arguments["diastolic"] as? Double,
            let startDate = arguments["startTime"] as? NSNumber
        else {
            result(false)
            return
        }
        let date = Date(timeIntervalSince1970: startDate.doubleValue / 1000)
        let systolic_sample = HKQuantitySample(
            type: HKSampleType.quantityType(forIdentifier: .bloodPressureSystolic)!,
            quantity: HKQuantity(unit: HKUnit.millimeterOfMercury(), doubleValue: systolic),
            start: date, end: date)
        let diastolic_sample = HKQuantitySample(
            type: HKSampleType.quantityType(forIdentifier: .bloodPressureDiastolic)!,
            quantity: HKQuantity(unit: HKUnit.millimeterOfMercury(), doubleValue: diastolic),
            start: date, end: date)
        let bpCorrelationType = HKCorrelationType.correlationType(forIdentifier: .bloodPressure)!
        let bpCorrelation = Set(arrayLiteral: systolic_sample, diastolic_sample)
        let sample = HKCorrelation(type: bpCorrelationType, start: date, end: date, objects: bpCorrelation)
        healthStore.save([sample]) { success, error in
            DispatchQueue.main.async { result(success) }
        }
    }
}

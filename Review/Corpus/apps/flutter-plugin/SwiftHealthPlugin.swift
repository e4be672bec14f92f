// A Flutter plugin: method calls in, dictionaries out.
import Flutter
import HealthKit
import UIKit

public class SwiftHealthPlugin: NSObject, FlutterPlugin {
    let healthStore = HKHealthStore()
    var dataTypes: [String: HKSampleType] = [:]
    var units: [String: HKUnit] = [:]

    public static func register(with registrar: FlutterPluginRegistrar) {
        let channel = FlutterMethodChannel(
            name: "org.example.flutter_health", binaryMessenger: registrar.messenger())
        let instance = SwiftHealthPlugin()
        registrar.addMethodCallDelegate(instance, channel: channel)
    }

    override init() {
        super.init()
        fillTables()
    }

    public func handle(_ call: FlutterMethodCall, result: @escaping FlutterResult) {
        switch call.method {
        case "isAvailable": result(HKHealthStore.isHealthDataAvailable())
        case "requestAuthorization": requestAuthorization(call, result)
        case "hasPermissions": hasPermissions(call, result)
        case "getData": getData(call, result)
        case "getTotalStepsInInterval": getTotalSteps(call, result)
        case "getIntervalData": getIntervalData(call, result)
        case "writeData": writeData(call, result)
        case "writeBloodPressure": writeBloodPressure(call, result)
        case "delete": delete(call, result)
        default: result(FlutterMethodNotImplemented)
        }
    }

    private func fillTables() {
        dataTypes["STEPS"] = HKSampleType.quantityType(forIdentifier: .stepCount)!
        dataTypes["WEIGHT"] = HKSampleType.quantityType(forIdentifier: .bodyMass)!
        dataTypes["HEART_RATE"] = HKSampleType.quantityType(forIdentifier: .heartRate)!
        dataTypes["WATER"] = HKSampleType.quantityType(forIdentifier: .dietaryWater)!
        dataTypes["BLOOD_GLUCOSE"] = HKQuantityType(.bloodGlucose)
        dataTypes["BLOOD_PRESSURE_SYSTOLIC"] = HKQuantityType(.bloodPressureSystolic)
        dataTypes["BLOOD_PRESSURE_DIASTOLIC"] = HKQuantityType(.bloodPressureDiastolic)
        dataTypes["SLEEP"] = HKCategoryType(.sleepAnalysis)
        dataTypes["WORKOUT"] = HKSampleType.workoutType()

        units["STEPS"] = HKUnit.count()
        units["WEIGHT"] = HKUnit.gramUnit(with: .kilo)
        units["HEART_RATE"] = HKUnit(from: "count/min")
        units["WATER"] = HKUnit.liter()
        units["BLOOD_GLUCOSE"] = HKUnit(from: "mg/dl")
        units["BLOOD_PRESSURE_SYSTOLIC"] = HKUnit.millimeterOfMercury()
        units["BLOOD_PRESSURE_DIASTOLIC"] = HKUnit.millimeterOfMercury()
    }
}

// Words that people use for units and HealthKit doesn't: each raises an exception.
import HealthKit

enum Units {
    static let heartRate = HKUnit(from: "bpm")  // finds unit-string
    static let steps = HKUnit(from: "steps")  // finds unit-string
    static let distance = HKUnit(from: "meters")  // finds unit-string
    static let weight: HKUnit = HKUnit(from: "lbs")  // finds unit-string
    static let pressure = HKUnit(from: "mmHG")  // finds unit-string
    static let sleep = HKUnit(from: "hours")  // finds unit-string
}

extension HKUnit {
    static var breaths: HKUnit { HKUnit(from: "breaths/min") }  // finds unit-string
    static var milesPerHour: HKUnit { .init(from: "mi/h") }  // finds unit-string
}

func describe(_ sample: HKQuantitySample) -> Double {
    sample.quantity.doubleValue(for: HKUnit(from: "KCAL"))  // finds unit-string
}

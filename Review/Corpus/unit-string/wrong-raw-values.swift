// The raw values of an enumeration.
import HealthKit

enum SugarUnit: String, CaseIterable {
    case mass = "mg/dL"
    case molar = "mmol/L"  // finds unit-string

    var healthUnit: HKUnit { HKUnit(from: rawValue) }
}

let glucoseType = HKQuantityType(.bloodGlucose)

enum RateUnit: String {
    case beats = "bpm"  // finds unit-string
    case counts = "count/min"
}

func value(_ sample: HKQuantitySample, in unit: RateUnit) -> Double {
    sample.quantity.doubleValue(for: HKUnit(from: unit.rawValue))
}

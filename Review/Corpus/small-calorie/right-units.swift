// Small calories that are converted, compared or asked for by name, and kilocalories.
import Foundation
import HealthKit

func kilocalories(_ quantity: HKQuantity) -> Double {
    quantity.doubleValue(for: .calorie()) / 1000
}

func kilocaloriesLater(_ quantity: HKQuantity) -> Double {
    let small = quantity.doubleValue(for: .smallCalorie())
    let rounded = (small / 1_000).rounded()
    return rounded
}

func stored(_ kilocalories: Double) -> HKQuantity {
    HKQuantity(unit: .calorie(), doubleValue: kilocalories * 1000.0)
}

func isEnergy(_ type: HKQuantityType) -> Bool {
    type.is(compatibleWith: .calorie()) || type.is(compatibleWith: HKUnit(from: "kcal"))
}

func symbol(_ unit: HKUnit) -> String {
    if unit == .smallCalorie() { return "cal" }
    switch unit {
    case HKUnit.calorie(): return "cal"
    default: return unit.unitString
    }
}

func unit(named name: String) -> HKUnit? {
    switch name {
    case "cal": return .smallCalorie()
    case "kcal", "Cal": return .kilocalorie()
    case "kJ": return .jouleUnit(with: .kilo)
    default: return nil
    }
}

let unitsByName: [String: HKUnit] = [
    "CALORIE": HKUnit.calorie(),
    "SMALL_CALORIE": HKUnit.smallCalorie(),
    "KILOCALORIE": HKUnit.kilocalorie(),
    "LARGE_CALORIE": HKUnit.largeCalorie(),
]

func fill(_ units: inout [String: HKUnit]) {
    units["SMALL_CALORIE"] = HKUnit.smallCalorie()
    units["LARGE_CALORIE"] = HKUnit.largeCalorie()
    units["KILOCALORIE"] = .kilocalorie()
}

func row(_ quantity: HKQuantity, _ unit: String) -> [String: Any] {
    let value = quantity.doubleValue(for: HKUnit(from: unit))
    return ["value": value, "unit": unit, "short": "cal"]
}

func bigCalorie() -> HKUnit { HKUnit(from: "Cal") }

func formatted(_ kilocalories: Double) -> String {
    EnergyFormatter().string(fromValue: kilocalories * 1000, unit: .calorie)
}

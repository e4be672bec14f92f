import HealthKit
let units: [String: HKUnit] = [
    "weight": HKUnit(from: "kgs"), // finds unit-string
    "energy": HKUnit(from: "kcal"),
    "vo2": HKUnit(from: "mL/kg/minute"), // finds unit-string
]

import HealthKit

enum Measure: String {
    case pulse, energy, sleep

    var identifier: HKQuantityTypeIdentifier? {
        switch self {
        case .pulse: .heartRate
        case .energy: .activeEnergyBurned
        case .sleep: nil
        }
    }

    var unit: HKUnit {
        switch self {
        case .pulse: HKUnit(from: "count/min")
        case .energy: .kilocalorie()
        case .sleep: .hour()
        }
    }

    /// Shown beside the value.
    var label: String {
        switch self {
        case .pulse: "count"
        case .energy: "m"
        case .sleep: "h"
        }
    }

    var symbol: Symbol {
        switch self {
        case .pulse: .height
        case .energy: .stepCount
        case .sleep: .height
        }
    }

    func value(_ quantity: HKQuantity) -> Double { quantity.doubleValue(for: unit) }
}

enum Symbol { case height, stepCount }

struct Size { init(_ symbol: Symbol, _ lines: Int) {} }
let size = Size(.height, 3)
let texts = ["glucose": "mg/dL", "weight": "count"]
let pairs: [(HKQuantityTypeIdentifier, HKUnit)] = [
    (.stepCount, .count()), (.bloodGlucose, HKUnit(from: "mg/dL")),
]
// Both types are in one row, and one unit each.
let pressure = (HKQuantityTypeIdentifier.bloodPressureSystolic, .height, HKUnit.millimeterOfMercury())

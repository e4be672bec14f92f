// Units that a plugin keeps as texts.
import HealthKit

enum Units {
    static let table: [String: String] = [
        "steps": "count",
        "distance": "m",
        "energy": "cal",  // finds small-calorie
        "weight": "kg",
    ]

    static func unit(_ name: String) -> HKUnit {
        HKUnit(from: table[name] ?? "count")
    }
}

struct Definition {
    let identifier: HKQuantityTypeIdentifier
    let unitText: String
    var unit: HKUnit { HKUnit(from: unitText) }
}

let definitions = [
    Definition(identifier: .stepCount, unitText: "count"),
    Definition(identifier: .activeEnergyBurned, unitText: "cal"),  // finds small-calorie
]

enum Field {
    case water, energy

    var unitString: String {
        switch self {
        case .water: return "mL"
        case .energy: return "cal"  // finds small-calorie
        }
    }

    var label: String {
        switch self {
        case .water: return "ml"
        case .energy: return "cal"
        }
    }
}

func quantity(_ value: Double) -> HKQuantity {
    let text = "cal"  // finds small-calorie
    return HKQuantity(unit: HKUnit(from: text), doubleValue: value)
}

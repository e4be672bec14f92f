// Tables that write units as texts.
import HealthKit

struct Column {
    let identifier: HKQuantityTypeIdentifier
    let unit: String
    let title: String

    var healthUnit: HKUnit { HKUnit(from: unit) }
}

enum Columns {
    static let all: [Column] = [
        Column(identifier: .stepCount, unit: "count", title: "steps"),
        Column(identifier: .respiratoryRate, unit: "count", title: "breaths"),  // finds unit-mismatch
        Column(identifier: .bodyMass, unit: "kg", title: "weight"),
    ]

    static let pairs: [(id: HKQuantityTypeIdentifier, symbol: String)] = [
        (id: .heartRate, symbol: "count/min"),
        (id: .height, symbol: "kg"),  // finds unit-mismatch
    ]

    static func unit(_ place: Int) -> HKUnit { HKUnit(from: pairs[place].symbol) }
}

enum TextMetric: String, CaseIterable {
    case pulse, weight, glucose

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .pulse: .heartRate
        case .weight: .bodyMass
        case .glucose: .bloodGlucose
        }
    }

    var unitString: String {
        switch self {
        case .pulse: "count/min"
        case .weight: "kg"
        case .glucose: "mg"  // finds unit-mismatch
        }
    }
}

func quantity(_ metric: TextMetric, _ value: Double) -> HKQuantity {
    HKQuantity(unit: HKUnit(from: metric.unitString), doubleValue: value)
}

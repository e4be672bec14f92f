// Tables of metrics whose unit doesn't suit the type in the same row.
import HealthKit

enum Gauge: CaseIterable {
    case steps, pulse, breathing, weight

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .steps: return .stepCount
        case .pulse: return .heartRate
        case .breathing: return .respiratoryRate
        case .weight: return .bodyMass
        }
    }

    var unit: HKUnit {
        switch self {
        case .steps: return .count()
        case .weight: return .gramUnit(with: .kilo)
        case .pulse: return HKUnit(from: "count/min")
        default: return .count()  // finds unit-mismatch
        }
    }
}

struct Entry {
    let name: String
    let identifier: HKQuantityTypeIdentifier
    let unit: HKUnit
}

struct GaugeTables {
    static let tuples: [String: (HKQuantityTypeIdentifier, HKUnit)] = [
        "steps": (.stepCount, .count()),
        "pulse": (.heartRate, .count()),  // finds unit-mismatch
    ]

    static let entries = [
        Entry(name: "Height", identifier: .height, unit: .meter()),
        Entry(name: "Oxygen", identifier: .oxygenSaturation, unit: .percent()),
        Entry(name: "Energy", identifier: .activeEnergyBurned, unit: .gram()),  // finds unit-mismatch
        .init(name: "Water", identifier: .dietaryWater, unit: .literUnit(with: .milli)),
    ]
}

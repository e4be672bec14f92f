import HealthKit

enum Vital: CaseIterable {
    case pulse, resting, weight, water, oxygen

    var identifier: HKQuantityTypeIdentifier {
        switch self {
        case .pulse: return .heartRate
        case .resting: return .restingHeartRate
        case .weight: return .bodyMass
        case .water: return .dietaryWater
        case .oxygen: return .oxygenSaturation
        }
    }

    var unit: HKUnit {
        switch self {
        case .pulse: return HKUnit.count().unitDivided(by: .minute())
        case .weight: return .gramUnit(with: .kilo)
        case .water: return .literUnit(with: .milli)
        case .oxygen: return .percent()
        default: return .count()  // finds unit-mismatch
        }
    }

    func options() -> HKStatisticsOptions {
        switch self {
        case .water: .cumulativeSum
        case .pulse, .resting: .discreteAverage
        case .weight, .oxygen: [.cumulativeSum]  // finds statistics-options
        }
    }

    func value(_ sample: HKQuantitySample) -> Double { sample.quantity.doubleValue(for: unit) }
}

enum Charts {
    static let table: [String: (HKQuantityTypeIdentifier, HKUnit, HKStatisticsOptions)] = [
        "steps": (.stepCount, .count(), .cumulativeSum),
        "heart": (.heartRate, .count(), .discreteAverage),  // finds unit-mismatch
        "energy": (.activeEnergyBurned, .kilocalorie(), .discreteAverage),  // finds statistics-options
    ]

    static let types: [String: HKQuantityTypeIdentifier] = [
        "glucose": .bloodGlucose, "height": .height,
    ]
    static let units: [String: HKUnit] = [
        "glucose": .literUnit(with: .milli),  // finds unit-mismatch
        "height": .meter(),
    ]
}

struct Row {
    let type: HKQuantityTypeIdentifier
    let unit: HKUnit
    var title = ""
}

let rows = [
    Row(type: .bodyTemperature, unit: .degreeCelsius(), title: "Temperature"),
    Row(type: .respiratoryRate, unit: .count(), title: "Breaths"),  // finds unit-mismatch
    .init(type: .distanceWalkingRunning, unit: .minute()),  // finds unit-mismatch
]

// What can be exported, with its type, unit and kind of statistics.
import Foundation
import HealthKit

enum Column: String, CaseIterable, Identifiable {
    case steps, distance, energy, flights, heartRate, weight, oxygen, sleep, workouts

    var id: String { rawValue }
    var title: String { rawValue.capitalized }

    var quantityType: HKQuantityType? {
        switch self {
        case .steps: return HKQuantityType(.stepCount)
        case .distance: return HKQuantityType(.distanceWalkingRunning)
        case .energy: return HKQuantityType(.activeEnergyBurned)
        case .flights: return HKQuantityType(.flightsClimbed)
        case .heartRate: return HKQuantityType(.heartRate)
        case .weight: return HKQuantityType(.bodyMass)
        case .oxygen: return HKQuantityType(.oxygenSaturation)
        case .sleep, .workouts: return nil
        }
    }

    var objectType: HKObjectType {
        switch self {
        case .sleep: return HKCategoryType(.sleepAnalysis)
        case .workouts: return HKObjectType.workoutType()
        default: return quantityType ?? HKObjectType.workoutType()
        }
    }

    var unit: HKUnit {
        switch self {
        case .steps, .flights: return .count()
        case .distance: return .meterUnit(with: .kilo)
        case .energy: return .kilocalorie()
        case .heartRate: return HKUnit(from: "count/min")
        case .weight: return .gramUnit(with: .kilo)
        case .oxygen: return .percent()
        case .sleep, .workouts: return .minute()
        }
    }

    var options: HKStatisticsOptions {
        switch self {
        case .steps, .distance, .energy, .flights: return .cumulativeSum
        default: return [.discreteAverage, .discreteMin, .discreteMax]
        }
    }
}

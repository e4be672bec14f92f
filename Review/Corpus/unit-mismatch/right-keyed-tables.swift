// Tables whose keys look like types, or that are asked before use.
import HealthKit

enum Display: String {
    case heartRate, height

    /// The unit of the axis, which counts days.
    var axis: HKUnit {
        switch self {
        case .heartRate: return .day()
        case .height: return .count()
        }
    }
}

final class Checked {
    func unit(for type: HKQuantityType) -> HKUnit {
        if type == HKQuantityType(.heartRate) { return HKUnit(from: "count/min") }
        let units: [HKUnit] = [.count(), .meter(), .gram(), .second()]
        return units.first { type.is(compatibleWith: $0) } ?? .count()
    }

    func unit(for id: HKQuantityTypeIdentifier) -> HKUnit {
        switch id {
        case .heartRate, .restingHeartRate, .respiratoryRate:
            return .count().unitDivided(by: .minute())
        case .oxygenSaturation, .bodyFatPercentage: return .percent()
        case .bodyMass: return .gramUnit(with: .kilo)
        case .bodyMassIndex, .stepCount, .flightsClimbed: return .count()
        default: return .count()
        }
    }

    func unit(named name: String) -> HKUnit? {
        switch name {
        case "heartRate": return .count()
        default: return nil
        }
    }
}

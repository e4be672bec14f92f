// Tables whose keys are types, and pairs of functions with the same names.
import HealthKit

enum Vitals {
    static func unit(for id: HKQuantityTypeIdentifier) -> HKUnit {
        switch id {
        case .stepCount: return .count()
        case .heartRate, .restingHeartRate: return .count()  // finds unit-mismatch
        case .height: return .gramUnit(with: .kilo)  // finds unit-mismatch
        default: return .count()
        }
    }

    static let units: [HKQuantityTypeIdentifier: HKUnit] = [
        .stepCount: .count(),
        .oxygenSaturation: .count().unitDivided(by: .minute()),  // finds unit-mismatch
    ]

    static func unit(of type: HKQuantityType) -> HKUnit {
        if type == HKQuantityType(.bodyMassIndex) {
            return .gramUnit(with: .kilo)  // finds unit-mismatch
        } else if type.identifier == HKQuantityTypeIdentifier.height.rawValue {
            return .percent()  // finds unit-mismatch
        }
        return .count()
    }

    static func unit(ofRaw text: String) -> HKUnit? {
        switch text {
        case HKQuantityTypeIdentifier.bodyTemperature.rawValue: return .degreeCelsius()
        case "HKQuantityTypeIdentifierFlightsClimbed": return .meter()  // finds unit-mismatch
        default: return nil
        }
    }
}

final class BridgeUnits {
    func type(named name: String) -> HKQuantityType? {
        switch name {
        case "WEIGHT": return HKQuantityType(.bodyMass)
        case "HEART_RATE": return HKObjectType.quantityType(forIdentifier: .heartRate)
        default: return nil
        }
    }

    func unit(named name: String) -> HKUnit {
        switch name {
        case "WEIGHT": return .gramUnit(with: .kilo)
        case "HEART_RATE": return .count()  // finds unit-mismatch
        default: return .count()
        }
    }
}

extension HKQuantityTypeIdentifier {
    var preferredUnit: HKUnit {
        switch self {
        case .vo2Max: return HKUnit(from: "ml/kg")  // finds unit-mismatch
        case .bodyMass: return .pound()
        default: return .count()
        }
    }
}

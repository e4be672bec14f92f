// Tables whose default fits all types that reach it, or is never reached by others.
import HealthKit

final class Fitting {
    func unit(for id: HKQuantityTypeIdentifier) -> HKUnit {
        switch id {
        case .heartRate: return HKUnit(from: "count/min")
        case .bodyMass: return .gramUnit(with: .kilo)
        default: return .count()
        }
    }

    func all() -> [HKUnit] {
        [.heartRate, .bodyMass, .stepCount, .flightsClimbed].map { id in unit(for: id) }
    }
}

struct Labelled {
    let identifier: HKQuantityTypeIdentifier
    let unit: String
}

/// Labels that a person reads; the units are HealthKit's own.
enum Labels {
    static let all = [
        Labelled(identifier: .respiratoryRate, unit: "count"),
        Labelled(identifier: .heartRate, unit: "m"),
    ]
}

/// One table of types and one of units, by names of their own.
final class TwoVocabularies {
    func type(named name: String) -> HKQuantityType? {
        switch name {
        case "weight": return HKQuantityType(.bodyMass)
        case "height": return HKQuantityType(.height)
        default: return nil
        }
    }

    func unit(named symbol: String) -> HKUnit {
        switch symbol {
        case "kg": return .gramUnit(with: .kilo)
        case "cm": return .meterUnit(with: .centi)
        default: return .count()
        }
    }
}

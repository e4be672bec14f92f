// Tables whose default can't measure types that are passed to them.
import HealthKit

final class NamedVitals {
    func type(named name: String) -> HKSampleType? {
        switch name {
        case "steps": return HKQuantityType(.stepCount)
        case "pulse": return HKQuantityType.quantityType(forIdentifier: .heartRate)
        case "height": return HKQuantityType.quantityType(forIdentifier: .height)
        case "sleep": return HKCategoryType(.sleepAnalysis)
        default: return nil
        }
    }

    func unit(for type: HKQuantityType) -> HKUnit {
        switch type.identifier {
        case HKQuantityTypeIdentifier.heartRate.rawValue: return HKUnit(from: "count/min")
        default: return HKUnit.count()  // finds unit-mismatch
        }
    }

    func value(_ quantity: HKQuantity, named name: String) -> Double? {
        guard let type = type(named: name) as? HKQuantityType else { return nil }
        return quantity.doubleValue(for: unit(for: type))
    }
}

extension HKQuantityTypeIdentifier {
    var exportUnit: HKUnit {
        switch self {
        case .bodyMass: return .gramUnit(with: .kilo)
        case .stepCount: return .count()
        default: return .count().unitDivided(by: .minute())  // finds unit-mismatch
        }
    }
}

struct Exporter {
    static let types: [HKQuantityTypeIdentifier] = [.bodyMass, .heartRate, .bodyTemperature]

    func units() -> [HKUnit] { Self.types.map { id in id.exportUnit } }
}

enum PairedNames {
    static func identifier(_ name: String) -> HKQuantityTypeIdentifier {
        switch name {
        case "weight": return .bodyMass
        case "water": return .dietaryWater
        default: return .stepCount
        }
    }

    static func unit(_ name: String) -> HKUnit {
        switch name {
        case "weight": return .gramUnit(with: .kilo)
        default: return .count()  // finds unit-mismatch
        }
    }
}

final class Older {
    func unit(for id: HKQuantityTypeIdentifier) -> HKUnit {
        if id == .heartRate { return HKUnit(from: "count/min") }
        if id == .bodyMass { return .gramUnit(with: .kilo) }
        return .count()  // finds unit-mismatch
    }

    func all() -> [HKUnit] {
        var units = [unit(for: .heartRate), unit(for: .bodyMass)]
        units.append(unit(for: .distanceCycling))
        return units
    }
}

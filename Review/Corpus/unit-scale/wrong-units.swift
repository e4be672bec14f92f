// Units that fit the type and make the number another one.
import HealthKit

enum Vital: CaseIterable {
    case energy, pulse, variability

    var unit: HKUnit {
        switch self {
        case .energy: return .calorie()  // finds small-calorie
        case .pulse: return HKUnit.count().unitDivided(by: .second())  // finds unit-scale
        case .variability: return .secondUnit(with: .milli)
        }
    }
}

struct Entry {
    let id: HKQuantityTypeIdentifier
    let unit: HKUnit

    init(_ id: HKQuantityTypeIdentifier, _ unit: HKUnit) { (self.id, self.unit) = (id, unit) }
}

struct Units {
    static let entries = [
        Entry(.heartRateVariabilitySDNN, .second()),  // finds unit-scale
        Entry(.bodyMass, .gramUnit(with: .kilo)),
    ]
    static let symbols = ["energy": "cal", "weight": "kg"]  // finds small-calorie
    static let rate = HKUnit(from: "count/s")  // finds unit-scale

    func unit(named name: String) -> HKUnit { HKUnit(from: Self.symbols[name] ?? "count") }

    func unit(of identifier: HKQuantityTypeIdentifier) -> HKUnit? {
        switch identifier {
        case .heartRateVariabilitySDNN: return .second()  // finds unit-scale
        case .appleExerciseTime: return .second()
        default: return nil
        }
    }

    func text(_ saturation: HKQuantitySample) -> String {
        let value = saturation.quantity.doubleValue(for: .percent())
        return "\(value) %"  // finds unit-scale
    }

    func formatted(_ fat: HKQuantitySample) -> String {
        String(format: "%.1f%%", fat.quantity.doubleValue(for: .percent()))  // finds unit-scale
    }

    func isLow(_ saturation: HKQuantity) -> Bool {
        saturation.doubleValue(for: HKUnit.percent()) < 92  // finds unit-scale
    }
}

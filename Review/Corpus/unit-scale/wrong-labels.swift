// Tables that measure one metric in another unit than its label says.
import HealthKit

enum Mineral: String, CaseIterable {
    case protein, fiber, sodium, magnesium, vitaminD

    var unit: HKUnit {
        switch self {
        case .sodium: return .gramUnit(with: .milli)
        case .vitaminD: return .gramUnit(with: .micro)
        default: return .gram()  // finds unit-scale
        }
    }

    var displayUnit: String {
        switch self {
        case .sodium, .magnesium: return "mg"
        case .vitaminD: return "µg"
        default: return "g"
        }
    }
}

struct Measure {
    let type: HKQuantityTypeIdentifier
    let unit: HKUnit
    let symbol: String
}

enum Measures {
    static let all = [
        Measure(type: .bodyMass, unit: .gramUnit(with: .kilo), symbol: "kg"),
        Measure(type: .height, unit: .meterUnit(with: .centi), symbol: "cm"),
        Measure(type: .dietaryWater, unit: .liter(), symbol: "ml"),  // finds unit-scale
        Measure(type: .dietaryCaffeine, unit: .gramUnit(with: .milli), symbol: "mg"),
    ]
}

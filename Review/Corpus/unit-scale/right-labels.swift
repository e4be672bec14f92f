// Units that are converted between reading and label.
import HealthKit

enum Converted: String, CaseIterable {
    case distance, weight, height, caffeine

    var unit: HKUnit {
        switch self {
        case .distance: return .meter()
        case .weight: return .gramUnit(with: .kilo)
        case .height: return .meterUnit(with: .centi)
        case .caffeine: return .gramUnit(with: .milli)
        }
    }

    var factor: Double { self == .distance ? 0.001 : 1 }

    var symbol: String {
        switch self {
        case .distance: return "km"
        case .weight: return "kg"
        case .height: return "cm"
        case .caffeine: return "mg"
        }
    }
}

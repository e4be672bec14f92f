// Units by the case of an enumeration.
import HealthKit

enum Measure {
    case length, weight

    var unit: HKUnit {
        switch self {
        case .length: return .init(from: "meters")  // finds unit-string
        case .weight: return .init(from: "kg")
        }
    }
}

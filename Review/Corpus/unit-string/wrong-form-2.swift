import HealthKit
enum Metric: String {
    case temperature, length, rate
    var unit: HKUnit {
        switch self {
        case .temperature: return HKUnit(from: "°C") // finds unit-string
        case .length: return .init(from: "meters") // finds unit-string
        case .rate: return HKUnit(from: "count/min")
        }
    }
}

// Unit strings kept beside the types they are for.
import HealthKit

enum Metric: String, CaseIterable {
    case pulse, speed, pressure

    var unitString: String {
        switch self {
        case .pulse: "beats/min"  // finds unit-string
        case .speed: "km/h"  // finds unit-string
        case .pressure: "mmHg"
        }
    }

    var unit: HKUnit { HKUnit(from: unitString) }
}

struct Conversion {
    static let symbol = "kgs"  // finds unit-string
    let quantity: HKQuantity

    var kilograms: Double { quantity.doubleValue(for: HKUnit(from: Self.symbol)) }
    var calories: Double { quantity.doubleValue(for: .init(from: "calories")) }  // finds unit-string

    func converted(isMetric: Bool) -> Double {
        let name = isMetric ? "km" : "miles"  // finds unit-string
        return quantity.doubleValue(for: HKUnit(from: name))
    }

    func rate() -> HKQuantity {
        let perMinute: HKUnit = .init(from: "rpm")  // finds unit-string
        return HKQuantity(unit: perMinute, doubleValue: 60)
    }
}

// Strings that hold units for people, and measurements of other frameworks.
import Foundation
import HealthKit

struct Labels {
    static let heartRate = "bpm"
    let symbol: UnitLength = .init(symbol: "steps")

    func text(_ sample: HKQuantitySample, _ unit: HKUnit) -> String {
        let value = sample.quantity.doubleValue(for: unit)
        switch unit.unitString {
        case "count/min": return "\(Int(value)) bpm"
        case "lb": return "\(value) lbs"
        default: return "\(value) \(unit.unitString)"
        }
    }

    func formatterUnits() -> [HKUnit] {
        [
            HKUnit(from: LengthFormatter.Unit.mile), HKUnit(from: EnergyFormatter.Unit.kilojoule),
            HKUnit(from: "kg"), HKUnit(from: "cm"), HKUnit(from: "kJ"), HKUnit(from: "degF"),
            HKUnit(from: "IU"), HKUnit(from: "mL"), HKUnit(from: "count"), HKUnit(from: "ms"),
            HKUnit(from: "W"), HKUnit(from: "m/s"), HKUnit(from: "L/min"), HKUnit(from: "kg/m^2"),
        ]
    }
}

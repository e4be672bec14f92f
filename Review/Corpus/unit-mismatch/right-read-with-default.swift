// The default fits what has no unit, or the unit is asked first.
import HealthKit

enum CountedTypes {
    static let types: [String: HKSampleType] = [
        "STEPS": HKQuantityType(.stepCount),
        "FLIGHTS": HKQuantityType(.flightsClimbed),
        "WEIGHT": HKQuantityType(.bodyMass),
        "SLEEP": HKCategoryType(.sleepAnalysis),
    ]
    private static let units: [String: HKUnit] = [
        "STEPS": .count(), "WEIGHT": .gramUnit(with: .kilo),
    ]

    static func unit(for key: String) -> HKUnit { units[key] ?? .count() }
}

enum AskedTypes {
    static let types: [String: HKQuantityType] = [
        "STEPS": HKQuantityType(.stepCount), "WAIST": HKQuantityType(.waistCircumference),
        "WEIGHT": HKQuantityType(.bodyMass),
    ]
    static let units: [String: HKUnit] = [
        "STEPS": .count(), "WEIGHT": .gramUnit(with: .kilo),
    ]

    static func value(_ name: String, _ quantity: HKQuantity) -> Double? {
        let unit = units[name] ?? .count()
        return quantity.is(compatibleWith: unit) ? quantity.doubleValue(for: unit) : nil
    }
}

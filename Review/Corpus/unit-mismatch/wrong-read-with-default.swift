// A dictionary of units that is read with a default, and one of types with more keys.
import HealthKit

enum BodyTypes {
    static let types: [String: HKSampleType] = [
        "STEPS": HKQuantityType(.stepCount),
        "WEIGHT": HKQuantityType(.bodyMass),
        "WAIST": HKQuantityType(.waistCircumference),
        "SLEEP": HKCategoryType(.sleepAnalysis),
    ]

    private static let units: [String: HKUnit] = [
        "STEPS": .count(), "WEIGHT": .gramUnit(with: .kilo),
    ]

    static func unit(for key: String) -> HKUnit {
        units[key] ?? .count()  // finds unit-mismatch
    }
}

final class LabTypes {
    let identifiers: [String: HKQuantityTypeIdentifier] = [
        "glucose": .bloodGlucose, "pulse": .heartRate, "height": .height,
    ]
    let units: [String: HKUnit] = [
        "glucose": HKUnit(from: "mg/dL"), "pulse": HKUnit(from: "count/min"),
    ]

    func value(_ name: String, _ quantity: HKQuantity) -> Double {
        quantity.doubleValue(for: units[name, default: .gram()])  // finds unit-mismatch
    }
}

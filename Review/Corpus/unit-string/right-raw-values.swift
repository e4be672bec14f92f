// An enumeration that tells its cases apart.
import HealthKit

enum GlucoseScale: String {
    case mass = "mg/dL"
    case molar = "mmol/L"

    var healthUnit: HKUnit {
        switch self {
        case .molar:
            HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
                .unitDivided(by: .liter())
        default: HKUnit(from: rawValue)
        }
    }
}

enum MassScale: String {
    case kilograms = "kg"
    case pounds = "lb"

    var unit: HKUnit { HKUnit(from: self.rawValue) }
}

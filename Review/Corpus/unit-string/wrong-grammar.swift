// Unit strings whose symbols are right and whose grammar isn't.
import HealthKit

struct LabUnits {
    // A mole's molar mass is a number.
    let glucose = HKUnit(from: "mmol<glucose>/L")  // finds unit-string
    // Only one slash may be in a unit string.
    let fitness = HKUnit(from: "ml/kg/min")  // finds unit-string
    let effort = HKUnit(from: "kcal/(kg*hr")  // finds unit-string
    let flow = HKUnit(from: "L per min")  // finds unit-string

    func unit(for name: String) -> HKUnit {
        switch name {
        case "temperature": return HKUnit(from: "°C")  // finds unit-string
        case "insulin": return HKUnit(from: "IU")
        default: return HKUnit(from: "counts/min")  // finds unit-string
        }
    }
}

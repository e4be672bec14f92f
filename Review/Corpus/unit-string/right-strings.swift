// Unit strings that HealthKit reads.
import HealthKit

enum ReadableUnits {
    static let heartRate = HKUnit(from: "count/min")
    static let glucose = HKUnit(from: "mg/dL")
    static let glucoseSmall = HKUnit(from: "mg/dl")
    static let molar = HKUnit(from: "mmol<180.15588000005408>/L")
    static let fitness = HKUnit(from: "ml/kg*min")
    static let fitnessDotted = HKUnit(from: "mL/min·kg")
    static let effort = HKUnit(from: "kcal/(kg*hr)")
    static let speed = HKUnit(from: "km/hr")
    static let acceleration = HKUnit(from: "m/s^2")
    static let perSecond = HKUnit(from: "s^-1")
    static let saturation = HKUnit(from: "%")
    static let temperature = HKUnit(from: "degC")
    static let pressure = HKUnit(from: "mmHg")
    static let folate = HKUnit(from: "mcg")
    // Both are read here: exports write the micro sign, and nothing at all is the unit of a plain number.
    static let selenium = HKUnit(from: "µg")
    static let plain = HKUnit(from: "")
    static let ounces = HKUnit(from: "fl_oz_us")
    static let sound = HKUnit(from: "dBASPL")
    static let mass = HKUnit(from: MassFormatter.Unit.pound)
}

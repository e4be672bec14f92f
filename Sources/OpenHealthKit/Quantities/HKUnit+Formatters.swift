public import Foundation

extension HKUnit {
    private static let massUnits: [(MassFormatter.Unit, String)] = [
        (.gram, "g"), (.kilogram, "kg"), (.ounce, "oz"), (.pound, "lb"), (.stone, "st"),
    ]
    private static let lengthUnits: [(LengthFormatter.Unit, String)] = [
        (.millimeter, "mm"), (.centimeter, "cm"), (.meter, "m"), (.kilometer, "km"),
        (.inch, "in"), (.foot, "ft"), (.yard, "yd"), (.mile, "mi"),
    ]
    private static let energyUnits: [(EnergyFormatter.Unit, String)] = [
        (.joule, "J"), (.kilojoule, "kJ"), (.calorie, "cal"), (.kilocalorie, "kcal"),
    ]

    /// The unit that a mass formatter writes: `HKUnit(from: .pound)` is `lb`.
    public convenience init(from massFormatterUnit: MassFormatter.Unit) {
        self.init(from: HKUnit.string(of: massFormatterUnit, HKUnit.massUnits))
    }

    /// The unit that a length formatter writes: `HKUnit(from: .mile)` is `mi`.
    public convenience init(from lengthFormatterUnit: LengthFormatter.Unit) {
        self.init(from: HKUnit.string(of: lengthFormatterUnit, HKUnit.lengthUnits))
    }

    /// The unit that an energy formatter writes: `HKUnit(from: .kilojoule)` is `kJ`.
    public convenience init(from energyFormatterUnit: EnergyFormatter.Unit) {
        self.init(from: HKUnit.string(of: energyFormatterUnit, HKUnit.energyUnits))
    }

    /// What a mass formatter calls the unit; traps if it has no name for it.
    public class func massFormatterUnit(from unit: HKUnit) -> MassFormatter.Unit {
        formatterUnit(of: unit, massUnits)
    }

    /// What a length formatter calls the unit; traps if it has no name for it.
    public class func lengthFormatterUnit(from unit: HKUnit) -> LengthFormatter.Unit {
        formatterUnit(of: unit, lengthUnits)
    }

    /// What an energy formatter calls the unit, `Cal` a kilocalorie; traps if it has no name for it.
    public class func energyFormatterUnit(from unit: HKUnit) -> EnergyFormatter.Unit {
        unit == .largeCalorie() ? .kilocalorie : formatterUnit(of: unit, energyUnits)
    }

    private static func string<Unit: Equatable>(of unit: Unit, _ names: [(Unit, String)]) -> String
    {
        names.first { $0.0 == unit }?.1 ?? ""
    }

    private static func formatterUnit<Unit>(of unit: HKUnit, _ names: [(Unit, String)]) -> Unit {
        guard let known = names.first(where: { $0.1 == unit.unitString }) else {
            refuse(HKError(.errorInvalidArgument, "No formatter has a name for unit \(unit)"))
        }
        return known.0
    }
}

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

    /// Creates the unit of a mass formatter: `HKUnit(from: .pound)` is `lb`.
    ///
    /// - Parameter massFormatterUnit: The formatter's unit.
    public convenience init(from massFormatterUnit: MassFormatter.Unit) {
        self.init(from: HKUnit.string(of: massFormatterUnit, HKUnit.massUnits))
    }

    /// Creates the unit of a length formatter: `HKUnit(from: .mile)` is `mi`.
    ///
    /// - Parameter lengthFormatterUnit: The formatter's unit.
    public convenience init(from lengthFormatterUnit: LengthFormatter.Unit) {
        self.init(from: HKUnit.string(of: lengthFormatterUnit, HKUnit.lengthUnits))
    }

    /// Creates the unit of an energy formatter: `HKUnit(from: .kilojoule)` is `kJ`.
    ///
    /// - Parameter energyFormatterUnit: The formatter's unit.
    public convenience init(from energyFormatterUnit: EnergyFormatter.Unit) {
        self.init(from: HKUnit.string(of: energyFormatterUnit, HKUnit.energyUnits))
    }

    /// Returns the mass formatter's constant for a unit. Traps if there is none.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: The formatter's unit.
    public class func massFormatterUnit(from unit: HKUnit) -> MassFormatter.Unit {
        formatterUnit(of: unit, massUnits)
    }

    /// Returns the length formatter's constant for a unit. Traps if there is none.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: The formatter's unit.
    public class func lengthFormatterUnit(from unit: HKUnit) -> LengthFormatter.Unit {
        formatterUnit(of: unit, lengthUnits)
    }

    /// Returns the energy formatter's constant for a unit. `Cal` is a kilocalorie. Traps if there
    /// is none.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: The formatter's unit.
    public class func energyFormatterUnit(from unit: HKUnit) -> EnergyFormatter.Unit {
        unit == .largeCalorie() ? .kilocalorie : formatterUnit(of: unit, energyUnits)
    }

    private static func string<Unit: Equatable>(of unit: Unit, _ names: [(Unit, String)]) -> String
    {
        names.first { $0.0 == unit }?.1 ?? ""
    }

    private static func formatterUnit<Unit>(of unit: HKUnit, _ names: [(Unit, String)]) -> Unit {
        guard let known = names.first(where: { $0.1 == unit.unitString }) else {
            trap(HKError(.errorInvalidArgument, "No formatter has a name for unit \(unit)"))
        }
        return known.0
    }
}

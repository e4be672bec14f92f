public import Foundation
public import HealthEngine

/// Grams a mole of glucose weighs, as HealthKit has it; a unit of it is `mmol<180.1558800000541>`.
public let HKUnitMolarMassBloodGlucose: Double = 180.15588000005408

/// A unit of measurement: `HKUnit.count().unitDivided(by: .minute())` is `HKUnit(from: "count/min")`.
///
/// Holds the engine's `HealthUnit`, which says what units are compatible and when they are equal
/// (Semantics §9.9, §9.10).
// Immutable.
open class HKUnit: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The engine's unit; not Apple's.
    public let value: HealthUnit

    /// A unit of the engine's; not Apple's.
    public required init(_unit: HealthUnit) { value = _unit }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived unit; nil if its string is missing or no unit.
    public required init?(coder: NSCoder) {
        guard let string = coder.string("unit"), let unit = try? HealthUnit(string) else {
            return nil
        }
        value = unit
    }

    open func encode(with coder: NSCoder) {
        coder.encode(unitString as NSString, forKey: "unit")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? HKUnit)?.value == value }
    open override var hash: Int { value.hashValue }
    open override var description: String { unitString }

    /// `mL/min·kg`, `mcg`, `1/s`; `()` for the null unit. Parsing it gives an equal unit.
    open var unitString: String { value.description }

    /// The unit of a string: `HKUnit(from: "mg/dL")`, `HKUnit(from: "mL/kg*min")`.
    ///
    /// Traps on anything that is no unit, where Apple raises an exception; strings of strangers go
    /// to ``init(parsing:)``.
    public required convenience init(from string: String) {
        do {
            self.init(_unit: try KnownUnits.parsed(string))
        } catch {
            refuse(error)
        }
    }

    /// The unit of a string, as ``init(from:)`` without the trap; not Apple's.
    ///
    /// - Throws: `errorInvalidArgument` that names the byte where the trouble begins.
    public convenience init(parsing string: String) throws(HKError) {
        self.init(_unit: try KnownUnits.parsed(string))
    }

    /// Whether this is the unit of a bare number: `HKUnit.count().unitDivided(by: .count())`.
    open func isNull() -> Bool { value == .null }

    /// `gram.unitMultiplied(by: meter)` is `g·m`. Traps beyond 16 symbols or powers of
    /// ±1,000,000.
    open func unitMultiplied(by unit: HKUnit) -> HKUnit {
        composed { try value.multiplied(by: unit.value) }
    }

    /// `gram.unitDivided(by: liter)` is `g/L`. Traps like ``unitMultiplied(by:)``.
    open func unitDivided(by unit: HKUnit) -> HKUnit {
        composed { try value.divided(by: unit.value) }
    }

    /// `second.unitRaised(toPower: -2)` is `1/s^2`. Traps like ``unitMultiplied(by:)``.
    open func unitRaised(toPower power: Int) -> HKUnit { composed { try value.raised(to: power) } }

    /// `1/s` for `s`.
    open func reciprocal() -> HKUnit { HKUnit(_unit: value.reciprocal) }

    private func composed(_ composition: () throws -> HealthUnit) -> HKUnit {
        do {
            return HKUnit(_unit: try composition())
        } catch {
            refuse(HKError(.errorInvalidArgument, "\(error)"))
        }
    }

    /// Moles of a substance: `mmol<180.1558800000541>` for `.milli` and glucose.
    ///
    /// Traps unless the molar mass is between 0.001 and 1e12 grams.
    open class func moleUnit(
        with prefix: HKMetricPrefix, molarMass gramsPerMole: Double
    ) -> Self {
        do {
            return self.init(_unit: try KnownUnits.parsed("\(prefix.symbol)mol<\(gramsPerMole)>"))
        } catch {
            refuse(error)
        }
    }

    /// Moles of a substance: `mol<18.015>` for water. Traps like ``moleUnit(with:molarMass:)``.
    open class func moleUnit(withMolarMass gramsPerMole: Double) -> Self {
        moleUnit(with: .none, molarMass: gramsPerMole)
    }

    /// `cal`; the small calorie's older name.
    open class func calorie() -> Self { known("cal") }

    /// A unit of the table, as one object where `Self` is HKUnit; the null unit if there is none,
    /// which a test rules out.
    static func known(_ symbol: String) -> Self {
        let unit = KnownUnits.unit(symbol)
        return unit as? Self ?? self.init(_unit: unit?.value ?? .null)
    }
}

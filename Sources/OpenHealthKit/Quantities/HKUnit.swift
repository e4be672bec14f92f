public import Foundation
public import HealthEngine
import Synchronization

/// The molar mass of glucose in grams per mole. Millimoles with this molar mass print as
/// `mmol<180.1558800000541>`.
public let HKUnitMolarMassBloodGlucose: Double = 180.15588000005408

/// A unit of measurement: `HKUnit.count().unitDivided(by: .minute())` is `HKUnit(from:
/// "count/min")`.
///
/// Wraps the engine's `HealthUnit`, which implements compatibility and equality (Semantics §9.9,
/// §9.10).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKUnit: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The engine's unit. Not part of Apple's API.
    package let value: HealthUnit

    /// Creates a unit from the engine's unit. Not part of Apple's API.
    ///
    /// - Parameter _unit: The engine's unit.
    public required init(_unit: HealthUnit) { value = _unit }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a unit; nil if its string is missing or cannot be parsed.
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

    /// The unit as a string: `mL/min·kg`, `mcg`, `1/s`; `()` for the null unit. Parsing it returns
    /// an equal unit.
    open var unitString: String { value.description }

    /// Parses a unit: `HKUnit(from: "mg/dL")`, `HKUnit(from: "mL/kg*min")`.
    ///
    /// Traps if the string is not a unit, where Apple raises an exception. Use ``init(parsing:)``
    /// for untrusted strings.
    ///
    /// - Parameter string: The string to parse (Semantics §9.10).
    public required convenience init(from string: String) {
        do {
            self.init(_unit: try UnitCache.parsed(string))
        } catch {
            trap(error)
        }
    }

    /// Parses a unit, like `init(from:)` but without trapping. Not part of Apple's API.
    ///
    /// - Parameter string: The string to parse (Semantics §9.10).
    /// - Throws: `errorInvalidArgument` with the position of the error in the string, in UTF-8
    ///   bytes.
    public convenience init(parsing string: String) throws(HKError) {
        self.init(_unit: try UnitCache.parsed(string))
    }

    /// Returns whether this is the null unit: the unit of a number without a unit.
    ///
    /// - Returns: Whether this is the null unit.
    open func isNull() -> Bool { value == .null }

    /// Returns the product of two units: `gram.unitMultiplied(by: meter)` is `g·m`.
    ///
    /// Traps if the result has more than 16 symbols or a power outside ±1,000,000.
    ///
    /// - Parameter unit: The other factor.
    /// - Returns: The product.
    open func unitMultiplied(by unit: HKUnit) -> HKUnit {
        composed { try value.multiplied(by: unit.value) }
    }

    /// Returns the quotient of two units: `gram.unitDivided(by: liter)` is `g/L`. Traps like
    /// ``unitMultiplied(by:)``.
    ///
    /// - Parameter unit: The divisor.
    /// - Returns: The quotient.
    open func unitDivided(by unit: HKUnit) -> HKUnit {
        composed { try value.divided(by: unit.value) }
    }

    /// Returns a power of the unit: `second.unitRaised(toPower: -2)` is `1/s^2`. Traps like
    /// ``unitMultiplied(by:)``.
    ///
    /// - Parameter power: The exponent; it can be zero or negative.
    /// - Returns: The power.
    open func unitRaised(toPower power: Int) -> HKUnit { composed { try value.raised(to: power) } }

    /// Returns the reciprocal of the unit: `1/s` for `s`.
    ///
    /// - Returns: The reciprocal.
    open func reciprocal() -> HKUnit { HKUnit(_unit: value.reciprocal) }

    private func composed(_ composition: () throws -> HealthUnit) -> HKUnit {
        do {
            return HKUnit(_unit: try composition())
        } catch {
            trap(HKError(.errorInvalidArgument, "\(error)"))
        }
    }

    /// Returns a unit of moles of a substance: `mmol<180.1558800000541>` for `.milli` and glucose.
    ///
    /// Traps unless the molar mass is from 0.001 to 1e12 grams per mole.
    ///
    /// - Parameters:
    ///   - prefix: The metric prefix.
    ///   - gramsPerMole: The molar mass in grams per mole.
    /// - Returns: The unit.
    open class func moleUnit(
        with prefix: HKMetricPrefix, molarMass gramsPerMole: Double
    ) -> Self {
        do {
            return self.init(_unit: try UnitCache.parsed("\(prefix.symbol)mol<\(gramsPerMole)>"))
        } catch {
            trap(error)
        }
    }

    /// Returns a unit of moles of a substance: `mol<18.015>` for water. Traps like
    /// ``moleUnit(with:molarMass:)``.
    ///
    /// - Parameter gramsPerMole: The molar mass in grams per mole.
    /// - Returns: The unit.
    open class func moleUnit(withMolarMass gramsPerMole: Double) -> Self {
        moleUnit(with: .none, molarMass: gramsPerMole)
    }

    /// Returns the small calorie, `cal`, under its older name.
    ///
    /// - Returns: The unit.
    open class func calorie() -> Self { known("cal") }

    /// Returns the unit with a symbol: the object of the cache if it is a `Self`, otherwise a new
    /// one. An unknown symbol gives the null unit; a test verifies that no caller passes one.
    static func known(_ symbol: String) -> Self {
        let unit = UnitCache.unit(symbol)
        return unit as? Self ?? self.init(_unit: unit?.value ?? .null)
    }
}

/// A cache of parsed units by their strings.
enum UnitCache {
    /// The maximum number of cached units. A store contains at most a few hundred different units;
    /// more come from untrusted input.
    private static let capacity = 1_000
    private static let cache = Mutex<[String: HKUnit]>([:])

    /// Returns the unit of a string; nil if it cannot be parsed.
    static func unit(_ string: String) -> HKUnit? {
        if let unit = cache.withLock({ $0[string] }) { return unit }
        guard let value = try? HealthUnit(string) else { return nil }
        let unit = HKUnit(_unit: value)
        cache.withLock { if $0.count < capacity { $0[string] = unit } }
        return unit
    }

    /// Parses a unit.
    ///
    /// - Throws: `errorInvalidArgument` with the engine's message.
    static func parsed(_ string: String) throws(HKError) -> HealthUnit {
        do {
            return try unit(string)?.value ?? HealthUnit(string)
        } catch {
            throw HKError(.errorInvalidArgument, "Unable to parse \(error)")
        }
    }
}

public import Foundation
import HealthEngine

/// A number with a unit: `HKQuantity(unit: .meter(), doubleValue: 1000)`.
///
/// Quantities are equal if they are the same amount: 1 km equals 1000 m (Semantics §9.9). For the
/// unit of creation, ``doubleValue(for:)`` returns the given number bit for bit.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKQuantity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The unit that the number was given in. Not part of Apple's API.
    public let unit: HKUnit
    /// The number in ``unit``. Not part of Apple's API.
    public let value: Double

    /// Creates a quantity. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _unit: The unit.
    ///   - value: The number in that unit.
    public required init(_unit: HKUnit, value: Double) {
        unit = _unit
        self.value = value
    }

    /// Creates a quantity.
    ///
    /// - Parameters:
    ///   - unit: The unit.
    ///   - value: The number in that unit.
    public required convenience init(unit: HKUnit, doubleValue value: Double) {
        self.init(_unit: unit, value: value)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a quantity; nil if its unit is missing.
    public required init?(coder: NSCoder) {
        guard let unit = coder.value(HKUnit.self, "unit") else { return nil }
        self.unit = unit
        value = coder.decodeDouble(forKey: "value")
    }

    open func encode(with coder: NSCoder) {
        coder.encode(unit, forKey: "unit")
        coder.encode(value, forKey: "value")
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the quantity can be converted to a unit.
    ///
    /// - Parameter unit: The unit.
    /// - Returns: Whether the units are compatible.
    open func `is`(compatibleWith unit: HKUnit) -> Bool {
        self.unit.value.isCompatible(with: unit.value)
    }

    /// Returns the number in another unit: 1.5 km in `.meter()` is 1500.
    ///
    /// Traps if the units are incompatible, where Apple raises an exception; ``converted(to:)``
    /// throws instead.
    ///
    /// - Parameter unit: The unit of the result.
    /// - Returns: The number in that unit; infinity or 0 if the conversion is outside the range of
    ///   a double.
    open func doubleValue(for unit: HKUnit) -> Double {
        do {
            return try converted(to: unit)
        } catch {
            trap(error)
        }
    }

    /// Returns the number in another unit, like ``doubleValue(for:)`` but without trapping. Not
    /// part of Apple's API.
    ///
    /// - Parameter unit: The unit of the result.
    /// - Returns: The number in that unit; infinity or 0 if the conversion is outside the range of
    ///   a double.
    /// - Throws: `errorInvalidArgument` if the units are incompatible.
    public func converted(to unit: HKUnit) throws(HKError) -> Double {
        if unit === self.unit || unit.value == self.unit.value { return value }
        do {
            return try self.unit.value.conversion(to: unit.value)(value)
        } catch {
            if error.code == .factorOutOfRange {
                return self.unit.value.limit(of: value, in: unit.value)
            }
            throw HKError(
                .errorInvalidArgument,
                "Attempt to convert incompatible units: \(self.unit), \(unit)")
        }
    }

    /// Compares the amounts of two quantities.
    ///
    /// Traps if the units are incompatible, where Apple raises an exception; ``comparison(with:)``
    /// throws instead.
    ///
    /// - Parameter quantity: The quantity to compare with.
    /// - Returns: `.orderedAscending` if this amount is the smaller one, `.orderedDescending` if it
    ///   is the larger one, otherwise `.orderedSame`.
    open func compare(_ quantity: HKQuantity) -> ComparisonResult {
        do {
            return try comparison(with: quantity)
        } catch {
            trap(error)
        }
    }

    /// Compares the amounts of two quantities, like ``compare(_:)`` but without trapping. Not part
    /// of Apple's API.
    ///
    /// - Parameter quantity: The quantity to compare with.
    /// - Returns: `.orderedAscending` if this amount is the smaller one, `.orderedDescending` if it
    ///   is the larger one, otherwise `.orderedSame`.
    /// - Throws: `errorInvalidArgument` if the units are incompatible.
    public func comparison(with quantity: HKQuantity) throws(HKError) -> ComparisonResult {
        guard quantity.is(compatibleWith: unit) else {
            throw HKError(
                .errorInvalidArgument,
                "Attempt to compare incompatible units: \(unit), \(quantity.unit)")
        }
        let (own, other) = (baseValue, quantity.baseValue)
        if own < other { return .orderedAscending }
        if own > other { return .orderedDescending }
        // Amounts whose base values overflow a double can be ordered only if their units are equal.
        guard own.isInfinite, unit.value == quantity.unit.value, value != quantity.value else {
            return .orderedSame
        }
        return value < quantity.value ? .orderedAscending : .orderedDescending
    }

    /// The amount in the base units of its dimension.
    private var baseValue: Double { unit.value.toBase(value) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQuantity else { return false }
        if other === self { return true }
        guard unit.value.dimension == other.unit.value.dimension, baseValue == other.baseValue
        else { return false }
        return baseValue.isFinite || (unit.value == other.unit.value && value == other.value)
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(unit.value.dimension)
        hasher.combine(baseValue)
        return hasher.finalize()
    }

    /// The number and the unit, such as "72 count/min"; only the number for the null unit.
    open override var description: String {
        let whole = value.magnitude < 1e15 ? Int(exactly: value) : nil
        let number = whole.map { "\($0)" } ?? "\(value)"
        return unit.isNull() ? number : "\(number) \(unit)"
    }
}

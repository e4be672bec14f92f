public import Foundation
import HealthEngine

/// A number with its unit: `HKQuantity(unit: .meter(), doubleValue: 1000)`.
///
/// Quantities are equal when they are the same amount: 1 km equals 1000 m
/// (Semantics §9.9). The number comes back bit by bit in the unit it was given in.
// Immutable.
open class HKQuantity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The unit the number was given in; not Apple's.
    public let unit: HKUnit
    /// The number in ``unit``; not Apple's.
    public let value: Double

    /// A quantity by its two parts; not Apple's.
    public required init(_unit: HKUnit, value: Double) {
        unit = _unit
        self.value = value
    }

    /// A number in a unit.
    public required convenience init(unit: HKUnit, doubleValue value: Double) {
        self.init(_unit: unit, value: value)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived quantity; nil without its unit.
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

    /// Whether the quantity can be given in a unit.
    open func `is`(compatibleWith unit: HKUnit) -> Bool {
        self.unit.value.isCompatible(with: unit.value)
    }

    /// The number in another unit: 1.5 km in `.meter()` is 1500. Infinite or 0 where two units of
    /// large powers are further apart than doubles reach.
    ///
    /// Traps if the unit measures something else, where Apple raises an exception; see
    /// ``converted(to:)``.
    open func doubleValue(for unit: HKUnit) -> Double {
        do {
            return try converted(to: unit)
        } catch {
            refuse(error)
        }
    }

    /// The number in another unit, as ``doubleValue(for:)`` without the trap; not Apple's.
    ///
    /// - Throws: `errorInvalidArgument` if the unit measures something else.
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

    /// Which of two amounts is more.
    ///
    /// Traps if the two measure different things, where Apple raises an exception; see
    /// ``comparison(with:)``.
    open func compare(_ quantity: HKQuantity) -> ComparisonResult {
        do {
            return try comparison(with: quantity)
        } catch {
            refuse(error)
        }
    }

    /// Which of two amounts is more, as ``compare(_:)`` without the trap; not Apple's.
    ///
    /// - Throws: `errorInvalidArgument` if the two measure different things.
    public func comparison(with quantity: HKQuantity) throws(HKError) -> ComparisonResult {
        guard quantity.is(compatibleWith: unit) else {
            throw HKError(
                .errorInvalidArgument,
                "Attempt to compare incompatible units: \(unit), \(quantity.unit)")
        }
        let (own, other) = (baseValue, quantity.baseValue)
        if own < other { return .orderedAscending }
        if own > other { return .orderedDescending }
        // Amounts whose base values are beyond the doubles have an order only in one unit.
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

    /// "72 count/min".
    open override var description: String {
        let whole = value.magnitude < 1e15 ? Int(exactly: value) : nil
        let number = whole.map { "\($0)" } ?? "\(value)"
        return unit.isNull() ? number : "\(number) \(unit)"
    }
}

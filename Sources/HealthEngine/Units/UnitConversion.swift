/// A linear conversion from one unit to another:
/// `result = (value + before) * multiplier / divisor + after`.
///
/// The factor is stored as a fraction, because a factor such as 0.01 has no exact double, but both
/// 1 and 100 have one. So 57 cm give 0.57 m without a rounding error of the factor.
public struct UnitConversion: Hashable, Sendable {
    /// The number added before the multiplication.
    public var before: Double
    /// The numerator of the factor.
    public var multiplier: Double
    /// The denominator of the factor.
    public var divisor: Double
    /// The number added after the division.
    public var after: Double

    public init(
        before: Double = 0, multiplier: Double = 1, divisor: Double = 1, after: Double = 0
    ) {
        self.before = before
        self.multiplier = multiplier
        self.divisor = divisor
        self.after = after
    }

    /// The conversion that returns every value unchanged.
    public static let identity = UnitConversion()

    /// Whether values are returned unchanged.
    @inlinable public var isIdentity: Bool {
        multiplier == divisor && before == 0 && after == 0
    }

    /// Converts a value: `UnitConversion(divisor: 100)(57)` is 0.57.
    ///
    /// - Parameter value: A value in the first unit.
    /// - Returns: The value in the second unit; bit-identical if ``isIdentity``.
    @inlinable public func callAsFunction(_ value: Double) -> Double {
        if isIdentity { return value }
        return (value + before) * multiplier / divisor + after
    }
}

extension HealthUnit {
    /// The size of the unit in base units: 1000 for `kg`, 0.01 for `mg/dL` (in g/L). It is infinite
    /// or 0 if the size is not in the range of doubles, as for `Tm^99`.
    public var factor: Double { ratio.value }

    /// The offset in base units: `base = value * factor + offset`. 273.15 for `degC` alone, 0 for
    /// every unit that is not a temperature on its own.
    public var offset: Double { (zero * ratio).value }

    /// The conversion to the base unit of the dimension. Quantities in different units can be
    /// compared in the base unit: 1 km and 1000 m give the same number.
    package var toBase: UnitConversion { UnitConversion(before: zero.value, ratio) }

    /// Returns whether values in this unit can be converted to another.
    ///
    /// - Parameter other: The other unit.
    /// - Returns: Whether both have the same dimension.
    public func isCompatible(with other: HealthUnit) -> Bool { dimension == other.dimension }

    /// Returns the conversion of values in this unit to another unit.
    ///
    /// ```
    /// try HealthUnit("degF").conversion(to: HealthUnit("degC"))(98.6)             // 37
    /// let glucose = try HealthUnit("mmol<180.1558800000541>/L")
    /// try glucose.conversion(to: HealthUnit("mg/dL"))(5)                          // about 90.078
    /// ```
    ///
    /// Units of equal size and zero point give ``UnitConversion/identity``.
    ///
    /// - Parameter other: The unit to convert to.
    /// - Returns: The conversion.
    /// - Throws: ``HealthUnitError`` with `incompatible` if the dimensions differ, or
    ///   `factorOutOfRange` if the factor is outside 1e-300 to 1e300.
    public func conversion(to other: HealthUnit) throws(HealthUnitError) -> UnitConversion {
        guard isCompatible(with: other) else {
            throw HealthUnitError(.incompatible, in: description, target: other.description)
        }
        if ratio == other.ratio && zero == other.zero { return .identity }
        let scale = ratio / other.ratio
        guard (1e-300...1e300).contains(scale.value) else {
            throw HealthUnitError(.factorOutOfRange, in: description, target: other.description)
        }
        var conversion = UnitConversion(scale)

        // Computes (value + zero) * scale - other.zero with only one addition. It is before or
        // after the multiplication, depending on which term has the smaller denominator: degF to
        // degC is (x - 32) * 5 / 9, the reverse is x * 9 / 5 + 32.
        let before = zero - other.zero / scale
        let after = zero * scale - other.zero
        if before.denominator <= after.denominator {
            conversion.before = before.value
        } else {
            conversion.after = after.value
        }
        return conversion
    }

    /// Returns a value in a compatible unit for which ``conversion(to:)`` throws
    /// `factorOutOfRange`.
    ///
    /// - Parameters:
    ///   - value: A value in this unit.
    ///   - other: The unit to convert to.
    /// - Returns: Infinity if this unit is larger than `other`, else 0, with the sign of the value.
    ///   A value of 0 stays 0.
    package func limit(of value: Double, in other: HealthUnit) -> Double {
        if value == 0 { return value }
        return (ratio / other.ratio).value > 1 ? value * .infinity : value * 0
    }
}

extension UnitConversion {
    /// Creates a conversion that multiplies by a ratio. A ratio whose exponent is not 0 is rounded
    /// to one double.
    fileprivate init(before: Double = 0, _ ratio: Ratio) {
        if ratio.exponent == 0 {
            self.init(
                before: before, multiplier: ratio.numerator, divisor: ratio.denominator)
        } else {
            self.init(before: before, multiplier: ratio.value)
        }
    }
}

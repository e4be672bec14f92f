extension HealthUnit {
    /// Base units in one of these: 1000 for `kg`, 0.01 for `mg/dL` (in g/L); infinite or 0 for a
    /// size beyond what a double holds, `Tm^99`.
    public var factor: Double { ratio.value }

    /// What is added after ``factor``: `base = value * factor + offset`. 273.15 for `degC` alone,
    /// 0 for every unit that isn't a temperature on its own.
    public var offset: Double { (zero * ratio).value }

    /// The arithmetic that takes values in this unit to the base units of its dimension, by which
    /// quantities in different units compare: 1 km and 1000 m give the same number.
    public var toBase: UnitConversion { UnitConversion(before: zero.value, ratio) }

    /// Whether values in this unit can be given in the other.
    public func isCompatible(with other: HealthUnit) -> Bool { dimension == other.dimension }

    /// The arithmetic that takes values in this unit to another.
    ///
    /// ```
    /// try HealthUnit("degF").conversion(to: HealthUnit("degC"))(98.6)             // 37
    /// try HealthUnit("mmol<180.1558800000541>/L").conversion(to: HealthUnit("mg/dL"))(5)  // 90.08
    /// ```
    ///
    /// Units of equal size give ``UnitConversion/identity``, which passes a value bit by bit.
    ///
    /// - Throws: `incompatible`; `factorOutOfRange` where the two sizes are more than 1e±300 apart.
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

        // (value + zero) * scale - other.zero, as one addition: before or after, whichever is the
        // simpler number. degF to degC is (x - 32) * 5 / 9, back it is x * 9 / 5 + 32.
        let before = zero - other.zero / scale
        let after = zero * scale - other.zero
        if before.denominator <= after.denominator {
            conversion.before = before.value
        } else {
            conversion.after = after.value
        }
        return conversion
    }

    /// A value in a compatible unit that ``conversion(to:)`` finds too far apart, as doubles give
    /// it: infinite or 0, with the value's sign.
    package func limit(of value: Double, in other: HealthUnit) -> Double {
        if value == 0 { return value }
        return (ratio / other.ratio).value > 1 ? value * .infinity : value * 0
    }
}

extension UnitConversion {
    /// Multiplies by a ratio, exactly where both its terms are doubles.
    fileprivate init(before: Double = 0, _ ratio: Ratio) {
        if ratio.exponent == 0 {
            self.init(
                before: before, multiplier: ratio.numerator, divisor: ratio.denominator)
        } else {
            self.init(before: before, multiplier: ratio.value)
        }
    }
}

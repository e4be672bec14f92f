/// A unit of measurement in HealthKit's notation: `kg`, `count/min`, `mL/min·kg`,
/// `mmol<180.1558800000541>/L`.
///
/// ```
/// let speed = try HealthUnit("km/hr")
/// try HealthUnit("m/s").conversion(to: speed)(10)   // 36
/// ```
///
/// Two units are equal if their factors are equal. `mL/(kg*min)` equals `ml/min·kg`. `kcal` does
/// not equal `Cal`, although their conversion factor is 1 (Semantics §9.9).
///
/// `%`, `count` and the null unit convert to each other with factor 1: percentages are fractions,
/// 0.97 for 97 %. Dimensions are those of HealthKit. Volume is length cubed, with 1,000 `L` in a
/// `m^3`. No other dimension is expressed by others: `Hz` does not convert to `count/s`, nor `W` to
/// `J/s`.
public struct HealthUnit: Hashable, Sendable {
    /// A symbol with its prefix and power: `mcg^-1`.
    struct Factor: Hashable, Sendable {
        /// An index into ``UnitTable/symbols``.
        var symbol: Int
        /// An index into ``UnitTable/prefixes``, or -1 for none.
        var prefix: Int
        /// The molar mass in g/mol; 0 for moles without a molar mass and for other symbols.
        var molarMass: Double
        var power: Int
    }

    /// The largest absolute power of a symbol in a unit.
    static let maximumPower = 1_000_000
    /// The largest number of factors in a unit.
    static let maximumFactors = 16

    /// The factors in the table's order, without powers of 0. No two factors agree in symbol,
    /// prefix and molar mass.
    let factors: [Factor]
    /// The same factors in printing order.
    let printed: [Factor]
    /// The size of the unit in base units of its dimension.
    let ratio: Ratio
    /// The number added to a value before multiplication with `ratio`: 273.15 for `degC` and 459.67
    /// for `degF` on their own, 0 for all other units.
    let zero: Ratio
    /// The dimension that the unit measures.
    public let dimension: Dimension

    public static func == (a: HealthUnit, b: HealthUnit) -> Bool { a.factors == b.factors }

    public func hash(into hasher: inout Hasher) { hasher.combine(factors) }
}

extension HealthUnit {
    /// The unit of a dimensionless number. Its string is `()`.
    public static let null = HealthUnit(
        ordered: [], printed: [], ratio: .one, dimension: .scalar)
    /// The unit of counts, `count`.
    public static let count = known("count")
    /// The unit of fractions, `%`: 0.97 is 97 %.
    public static let percent = known("%")
    /// The second, `s`.
    public static let second = known("s")
    /// The minute, `min`.
    public static let minute = known("min")
    /// The hour, `hr`.
    public static let hour = known("hr")

    /// Returns the unit of a string that is known to be valid; the null unit if it is not.
    private static func known(_ string: String) -> HealthUnit {
        (try? HealthUnit(string)) ?? .null
    }

    /// Creates a unit from factors in any order. Powers of factors with equal symbol, prefix and
    /// molar mass are added.
    ///
    /// - Throws: `tooManyFactors` or `powerOutOfRange`.
    init(_ unordered: [Factor]) throws(HealthUnitError.Code) {
        var merged: [Factor] = []
        for factor in unordered {
            let same = merged.firstIndex {
                $0.symbol == factor.symbol && $0.prefix == factor.prefix
                    && $0.molarMass == factor.molarMass
            }
            if let same {
                merged[same].power += factor.power
            } else {
                merged.append(factor)
            }
        }
        merged.removeAll { $0.power == 0 }
        let printed = HealthUnit.inPrintingOrder(merged)
        merged.sort {
            ($0.symbol, $0.prefix, $0.molarMass) < ($1.symbol, $1.prefix, $1.molarMass)
        }
        guard merged.count <= HealthUnit.maximumFactors else { throw .tooManyFactors }
        guard merged.allSatisfy({ abs($0.power) <= HealthUnit.maximumPower }) else {
            throw .powerOutOfRange
        }

        var ratio = Ratio.one
        var dimension = Dimension.scalar
        for factor in merged {
            ratio = ratio * factor.ratio.raised(to: factor.power)
            dimension.add(factor.dimension, power: factor.power)
        }
        let volumes = dimension.reduceLength()
        if volumes != 0 { ratio = ratio * Ratio.litersPerCubicMeter.raised(to: volumes) }

        self.init(ordered: merged, printed: printed, ratio: ratio, dimension: dimension)
    }

    /// Creates a unit from its factors in the order of the symbol table, the same factors in
    /// printing order, and their ratio and dimension. Only ``zero`` is computed here.
    init(ordered factors: [Factor], printed: [Factor], ratio: Ratio, dimension: Dimension) {
        self.factors = factors
        self.printed = printed
        self.ratio = ratio
        self.dimension = dimension
        if factors.count == 1, let only = factors.first, only.power == 1 {
            zero = UnitTable.symbols[only.symbol].zero
        } else {
            zero = .zero
        }
    }
}

extension HealthUnit.Factor {
    /// An index into ``UnitTable/dimensions``. Moles have the dimension of mass with a molar mass,
    /// and that of amount without one.
    fileprivate var dimension: Int {
        let symbol = UnitTable.symbols[symbol]
        return symbol.isMolar && molarMass == 0 ? UnitTable.amount : symbol.dimension
    }

    /// The size of the prefixed symbol in the base unit of its dimension, without the power.
    fileprivate var ratio: Ratio {
        var ratio = UnitTable.symbols[symbol].ratio
        if molarMass != 0 { ratio = ratio * Ratio(molarMass, 1) }
        if prefix >= 0 { ratio = ratio * .powerOfTen(UnitTable.prefixes[prefix].power) }
        return ratio
    }
}

extension HealthUnit {
    /// Returns the product of two units. Powers of equal symbols with equal prefixes are added.
    ///
    /// - Parameter other: The second factor.
    /// - Returns: The product.
    /// - Throws: ``HealthUnitError`` with `tooManyFactors` or `powerOutOfRange`.
    public func multiplied(by other: HealthUnit) throws(HealthUnitError) -> HealthUnit {
        try composed(printed + other.printed)
    }

    /// Returns the quotient of two units: `gram.divided(by: liter)` is `g/L`. Equal symbols with
    /// equal prefixes cancel.
    ///
    /// - Parameter other: The divisor.
    /// - Returns: The quotient.
    /// - Throws: ``HealthUnitError`` with `tooManyFactors` or `powerOutOfRange`.
    public func divided(by other: HealthUnit) throws(HealthUnitError) -> HealthUnit {
        try composed(printed + other.reciprocal.printed)
    }

    /// Returns a power of the unit: `second.raised(to: -2)` is `1/s^2`. Power 0 gives the null
    /// unit.
    ///
    /// - Parameter power: The exponent, from -1,000,000 to 1,000,000.
    /// - Returns: The power.
    /// - Throws: ``HealthUnitError`` with `powerOutOfRange` if `power` or a resulting power is
    ///   outside -1,000,000 to 1,000,000.
    public func raised(to power: Int) throws(HealthUnitError) -> HealthUnit {
        guard (-HealthUnit.maximumPower...HealthUnit.maximumPower).contains(power) else {
            throw HealthUnitError(.powerOutOfRange, in: description)
        }
        return try composed(printed.map { $0.raised(to: power) })
    }

    /// The reciprocal: `1/s` for `s`.
    public var reciprocal: HealthUnit {
        HealthUnit(
            ordered: factors.map { $0.raised(to: -1) },
            printed: printed.map { $0.raised(to: -1) }, ratio: ratio.inverse,
            dimension: dimension.inverse)
    }

    private func composed(_ factors: [Factor]) throws(HealthUnitError) -> HealthUnit {
        do {
            return try HealthUnit(factors)
        } catch {
            throw HealthUnitError(error, in: description)
        }
    }
}

extension HealthUnit.Factor {
    /// Returns the factor with its power multiplied.
    ///
    /// - Parameter power: At most ``HealthUnit/maximumPower`` in absolute value, so that nothing
    ///   overflows.
    func raised(to power: Int) -> HealthUnit.Factor {
        var raised = self
        raised.power *= power
        return raised
    }
}

extension HealthUnit {
    /// The dimension of a unit: a product of powers of HealthKit's base dimensions.
    ///
    /// Volume is length cubed. Length has a power from -2 to 2, because each three powers of length
    /// are one power of volume.
    ///
    /// The description of `HealthUnit("mg/dL").dimension` is `mass/volume`.
    public struct Dimension: Hashable, Sendable {
        /// The power of each of ``UnitTable/dimensions``.
        private var powers = SIMD32<Int32>()

        /// The dimension of numbers: `count`, `%` and the null unit.
        public static let scalar = Dimension()

        /// Adds to the power of a dimension.
        ///
        /// - Parameters:
        ///   - dimension: An index into ``UnitTable/dimensions``.
        ///   - power: At most ``HealthUnit/maximumPower`` in absolute value. With at most
        ///     ``HealthUnit/maximumFactors`` factors no sum overflows.
        mutating func add(_ dimension: Int, power: Int) {
            if dimension != UnitTable.scalar {
                powers[dimension] += Int32(truncatingIfNeeded: power)
            }
        }

        /// Expresses volume and length with as much volume as possible: `m^4` has the dimension
        /// volume·length. Does nothing if the power of length is 0.
        ///
        /// - Returns: The change of the power of volume.
        mutating func reduceLength() -> Int {
            let (volume, length) = (powers[UnitTable.volume], powers[UnitTable.length])
            if length == 0 { return 0 }
            let (quotient, remainder) = (volume * 3 + length).quotientAndRemainder(dividingBy: 3)
            powers[UnitTable.volume] = quotient
            powers[UnitTable.length] = remainder
            return Int(quotient - volume)
        }

        var inverse: Dimension {
            var inverse = Dimension()
            inverse.powers = 0 &- powers
            return inverse
        }
    }
}

extension HealthUnit.Dimension: CustomStringConvertible {
    /// The dimension as text: `mass/volume`, or `scalar` for numbers.
    public var description: String {
        let parts = UnitTable.dimensions.indices.map {
            (name: UnitTable.dimensions[$0], power: Int(powers[$0]))
        }
        let text = HealthUnit.join(parts.filter { $0.power != 0 })
        return text.isEmpty ? "scalar" : text
    }
}

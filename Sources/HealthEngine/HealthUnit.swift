/// A unit of measurement as HealthKit writes it: `kg`, `count/min`, `mL/min·kg`,
/// `mmol<180.1558800000541>/L`.
///
/// ```
/// let speed = try HealthUnit("km/hr")
/// try HealthUnit("m/s").conversion(to: speed)(10)   // 36
/// ```
///
/// Two units are equal when their factors are: `mL/(kg*min)` equals `ml/min·kg`, `kcal` doesn't
/// equal `Cal` although they convert one to one (Semantics §9.9).
///
/// `%`, `count` and the null unit are compatible with factor 1: HealthKit's percentages are
/// fractions, 0.97 for 97 %. Dimensions are HealthKit's own. Volume is length cubed, 1,000 `L` in a
/// `m^3`; no other dimension reduces into another: `Hz` is not `count/s`, `W` is not `J/s`.
public struct HealthUnit: Hashable, Sendable {
    /// One symbol with its prefix and power: `mcg^-1`.
    struct Factor: Hashable, Sendable {
        /// Index into ``UnitTable/symbols``.
        var symbol: Int
        /// Index into ``UnitTable/prefixes``, or -1.
        var prefix: Int
        /// Grams per mole; 0 for moles of anything and for what is no mole.
        var molarMass: Double
        var power: Int
    }

    /// Powers beyond this, of one symbol in one unit, are an error.
    static let maximumPower = 1_000_000
    /// Symbols in one unit.
    static let maximumFactors = 16

    /// In the table's order, each symbol once, no power of 0.
    let factors: [Factor]
    /// The same factors in the order in which they are printed.
    let printed: [Factor]
    /// To the base unit of the dimension.
    let ratio: Ratio
    /// Added to a value before `ratio`: 273.15 for degC on its own, else 0.
    let zero: Ratio
    /// What the unit measures.
    public let dimension: Dimension

    public static func == (a: HealthUnit, b: HealthUnit) -> Bool { a.factors == b.factors }

    public func hash(into hasher: inout Hasher) { hasher.combine(factors) }
}

extension HealthUnit {
    /// The unit of a bare number; its string is `()`.
    public static let null = HealthUnit(
        ordered: [], printed: [], ratio: .one, dimension: .scalar)
    public static let count = known("count")
    /// A fraction of one: 0.97 is 97 %.
    public static let percent = known("%")
    public static let second = known("s")
    public static let minute = known("min")
    public static let hour = known("hr")

    /// A unit that the table holds, which a test sees to.
    private static func known(_ string: String) -> HealthUnit {
        (try? HealthUnit(string)) ?? .null
    }

    /// Brings factors into their one order, equal symbols added up.
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

    /// Takes factors that are in order, with what they come to.
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
    /// Index into ``UnitTable/dimensions``: moles of a known substance are a mass.
    fileprivate var dimension: Int {
        let symbol = UnitTable.symbols[symbol]
        return symbol.isMolar && molarMass == 0 ? UnitTable.amount : symbol.dimension
    }

    /// To the base unit of the symbol's dimension, the power left out.
    fileprivate var ratio: Ratio {
        var ratio = UnitTable.symbols[symbol].ratio
        if molarMass != 0 { ratio = ratio * Ratio(molarMass, 1) }
        if prefix >= 0 { ratio = ratio * .powerOfTen(UnitTable.prefixes[prefix].power) }
        return ratio
    }
}

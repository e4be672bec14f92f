extension HealthUnit: CustomStringConvertible {
    /// The unit as an export would write it: `mL/min·kg`, `mcg`, `m/s^2`, `1/s`; `()` for the null
    /// unit.
    ///
    /// Parsing the string gives an equal unit back. Equal units may print differently: of `L` and
    /// `atm` in one product the one that came first is printed first, as HealthKit does.
    public var description: String {
        if factors.isEmpty { return "()" }
        return HealthUnit.join(printed.map { (name: $0.name, power: $0.power) })
    }

    /// Symbols without a prefix first, in the table's order; those of one place as they came.
    static func inPrintingOrder(_ factors: [Factor]) -> [Factor] {
        func key(_ index: Int) -> (Int, Int, Int, Int) {
            let factor = factors[index]
            let place = UnitTable.symbols[factor.symbol].place ?? factor.symbol
            return (factor.prefix < 0 ? 0 : 1, place, factor.prefix, index)
        }
        return factors.indices.sorted { key($0) < key($1) }.map { factors[$0] }
    }

    /// Products with `·`, negative powers after one slash, which then binds all of them.
    static func join(_ parts: [(name: String, power: Int)]) -> String {
        let above = parts.filter { $0.power > 0 }
        let below = parts.filter { $0.power < 0 }
        if below.isEmpty { return product(above) }
        return (above.isEmpty ? "1" : product(above)) + "/"
            + product(below.map { (name: $0.name, power: -$0.power) })
    }

    private static func product(_ parts: [(name: String, power: Int)]) -> String {
        parts.map { $0.power == 1 ? $0.name : "\($0.name)^\($0.power)" }.joined(separator: "·")
    }
}

extension HealthUnit.Factor {
    /// Prefix, symbol and molar mass, if there is one: `mmol<180.1558800000541>`.
    fileprivate var name: String {
        let symbol = UnitTable.symbols[symbol]
        let prefix = prefix < 0 ? "" : UnitTable.prefixes[prefix].symbol
        return prefix + symbol.symbol + (molarMass == 0 ? "" : "<\(molarMass)>")
    }
}

extension HealthUnit: CustomStringConvertible {
    /// The unit as an export would write it: `mL/min·kg`, `mcg`, `m/s^2`, `s^-1`; empty for the
    /// null unit.
    ///
    /// Parsing the string gives an equal unit back.
    public var description: String {
        HealthUnit.join(factors.map { (name: $0.name, power: $0.power) })
    }

    /// Products with `·`, negative powers after one slash, which then binds all of them.
    static func join(_ parts: [(name: String, power: Int)]) -> String {
        let above = parts.filter { $0.power > 0 }
        let below = parts.filter { $0.power < 0 }
        if above.isEmpty { return product(below) }
        if below.isEmpty { return product(above) }
        return product(above) + "/" + product(below.map { (name: $0.name, power: -$0.power) })
    }

    private static func product(_ parts: [(name: String, power: Int)]) -> String {
        parts.map { $0.power == 1 ? $0.name : "\($0.name)^\($0.power)" }.joined(separator: "·")
    }
}

extension HealthUnit.Factor {
    /// Prefix, symbol and molar mass: `mmol<180.1558800000541>`.
    fileprivate var name: String {
        let symbol = UnitTable.symbols[symbol]
        let prefix = prefix < 0 ? "" : UnitTable.prefixes[prefix].symbol
        return prefix + symbol.symbol + (symbol.isMolar ? "<\(molarMass)>" : "")
    }
}

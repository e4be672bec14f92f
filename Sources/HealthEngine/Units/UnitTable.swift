/// What HealthKit's unit strings are made of; the rows come from `Data/units.json`.
enum UnitTable {
    struct Symbol: Sendable {
        let symbol: String
        /// Other spellings that are read and never written.
        let aliases: [String]
        /// Index into ``UnitTable/dimensions``.
        let dimension: Int
        let ratio: Ratio
        /// Added to a value before `ratio`; only temperatures have one.
        let zero: Ratio
        let takesPrefix: Bool
        /// Whether a molar mass in angle brackets may follow.
        let isMolar: Bool
        /// Index of the symbol whose place in a printed product this one shares; nil for its own.
        let place: Int?

        init(
            _ symbol: String, aliases: [String] = [], dimension: Int, ratio: Ratio,
            zero: Ratio = .zero, takesPrefix: Bool = false, isMolar: Bool = false,
            place: Int? = nil
        ) {
            self.symbol = symbol
            self.aliases = aliases
            self.dimension = dimension
            self.ratio = ratio
            self.zero = zero
            self.takesPrefix = takesPrefix
            self.isMolar = isMolar
            self.place = place
        }
    }

    struct Prefix: Sendable {
        let symbol: String
        let aliases: [String]
        /// Of ten.
        let power: Int

        init(_ symbol: String, aliases: [String] = [], power: Int) {
            self.symbol = symbol
            self.aliases = aliases
            self.power = power
        }
    }

    /// Every spelling of every symbol with every prefix it takes, as (prefix, symbol) indices.
    static let spellings: [String: (prefix: Int, symbol: Int)] = {
        var spellings: [String: (prefix: Int, symbol: Int)] = [:]
        for (index, symbol) in symbols.enumerated() {
            for name in [symbol.symbol] + symbol.aliases {
                spellings[name] = (prefix: -1, symbol: index)
                guard symbol.takesPrefix else { continue }
                for (prefixIndex, prefix) in prefixes.enumerated() {
                    for prefixName in [prefix.symbol] + prefix.aliases {
                        spellings[prefixName + name] = (prefix: prefixIndex, symbol: index)
                    }
                }
            }
        }
        return spellings
    }()
}

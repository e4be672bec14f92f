/// The symbols, prefixes and dimensions of HealthKit's units. The rows are generated from
/// `Data/units.json`.
enum UnitTable {
    struct Symbol: Sendable {
        let symbol: String
        /// Other spellings, which are parsed but never printed.
        let aliases: [String]
        /// An index into ``UnitTable/dimensions``.
        let dimension: Int
        let ratio: Ratio
        /// The number added to a value before multiplication with `ratio`; 0 for all symbols but
        /// `degC` and `degF`.
        let zero: Ratio
        let takesPrefix: Bool
        /// Whether a molar mass in angle brackets may follow.
        let isMolar: Bool
        /// The index of another symbol that has the same place in printing order; nil if the place
        /// is this symbol's own index.
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
        /// The exponent of ten.
        let power: Int

        init(_ symbol: String, aliases: [String] = [], power: Int) {
            self.symbol = symbol
            self.aliases = aliases
            self.power = power
        }
    }

    /// The indices of prefix and symbol for every spelling of a symbol, alone and with each prefix
    /// that it takes. The prefix is -1 for a symbol alone.
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

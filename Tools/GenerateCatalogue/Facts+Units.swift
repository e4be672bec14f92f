private struct UnitsFile: Decodable {
    struct Prefix: Decodable {
        var symbol: String
        var name: String
        var aliases: [String]?
        var power: Int
    }
    struct Unit: Decodable {
        var symbol: String
        var name: String
        var aliases: [String]?
        var dimension: String
        var factor: String
        var zero: String?
        var prefixes: String?
        /// Whether `HKUnit` has a factory with a prefix; nil for the default, which is true for
        /// units with SI prefixes.
        var prefixFactory: Bool?
        var molar: Bool?
        /// The symbol of another unit, whose position this unit takes when a product of units is
        /// printed.
        var printsWith: String?
    }
    var dimensions: [String]
    var prefixes: [Prefix]
    var units: [Unit]
}

extension Facts {
    func unitTable() throws -> String {
        let name = "units.json"
        let file = try read(UnitsFile.self, from: name)
        guard file.dimensions.count <= 32 else {
            throw FactError(file: name, row: "dimensions", problem: "above 32")
        }
        var swift = SwiftText(from: name)
        swift.line("extension UnitTable {\n    static let dimensions = [")
        for dimension in file.dimensions { swift.line("        \(dimension.literal),") }
        swift.line("    ]\n")
        for dimension in ["scalar", "volume", "length", "amount"] {
            guard let index = file.dimensions.firstIndex(of: dimension) else {
                throw FactError(file: name, row: "dimensions", problem: "no \(dimension)")
            }
            swift.line("    static let \(dimension) = \(index)")
        }
        swift.line("\n    static let prefixes: [Prefix] = [")
        let prefixes = file.prefixes.map {
            [$0.symbol.literal] + aliases($0.aliases) + ["power: \($0.power)"]
        }
        swift.elements("Prefix", prefixes, indent: 8)
        swift.line("    ]\n\n    static let symbols: [Symbol] = [")
        let units = try file.units.map { unit in
            guard let dimension = file.dimensions.firstIndex(of: unit.dimension) else {
                throw FactError(file: name, row: unit.symbol, problem: "unknown dimension")
            }
            var arguments = [unit.symbol.literal] + aliases(unit.aliases)
            arguments += ["dimension: \(dimension)", "ratio: \(try ratio(unit.factor, of: unit))"]
            if let zero = unit.zero { arguments.append("zero: \(try ratio(zero, of: unit))") }
            if unit.prefixes == "si" { arguments.append("takesPrefix: true") }
            if unit.molar == true { arguments.append("isMolar: true") }
            if let other = unit.printsWith {
                guard let place = file.units.firstIndex(where: { $0.symbol == other }) else {
                    throw FactError(file: name, row: unit.symbol, problem: "unknown \(other)")
                }
                arguments.append("place: \(place)")
            }
            return arguments
        }
        swift.elements("Symbol", units, indent: 8)
        swift.line("    ]\n}")
        return swift.text
    }

    /// Generates the factories of `HKUnit` and the symbols of `HKMetricPrefix`.
    func unitFactories() throws -> String {
        let name = "units.json"
        let file = try read(UnitsFile.self, from: name)
        var swift = SwiftText(from: name)
        swift.line("extension HKUnit {")
        for (index, unit) in file.units.filter({ $0.molar != true }).enumerated() {
            if index > 0 { swift.line() }
            swift.line("    /// `\(unit.symbol)`.")
            swift.line(
                "    public class func \(unit.name)() -> Self { known(\(unit.symbol.literal)) }")
            guard unit.prefixes == "si", unit.prefixFactory != false else { continue }
            swift.line("\n    /// `\(unit.name)Unit(with: .milli)` is `m\(unit.symbol)`.")
            swift.line(
                "    public class func \(unit.name)Unit(with prefix: HKMetricPrefix) -> Self {")
            swift.line("        known(prefix.symbol + \(unit.symbol.literal))\n    }")
        }
        swift.line("}\n\nextension HKMetricPrefix {")
        swift.line("    /// As unit strings write it: `mc` for micro.")
        swift.line("    var symbol: String {\n        switch self {\n        case .none: \"\"")
        for prefix in file.prefixes {
            swift.line("        case .\(prefix.name): \(prefix.symbol.literal)")
        }
        swift.line("        }\n    }\n}")
        return swift.text
    }

    private func aliases(_ aliases: [String]?) -> [String] {
        aliases.map { ["aliases: \($0.literal)"] } ?? []
    }

    /// Returns a Swift expression for a fraction: `Ratio(45359237, 100000)` for "453.59237",
    /// `Ratio(5, 9)` for "5/9".
    private func ratio(_ string: String, of unit: UnitsFile.Unit) throws -> String {
        let parts = string.split(separator: "/")
        guard (1...2).contains(parts.count), parts.allSatisfy({ Double($0) != nil }) else {
            throw FactError(file: "units.json", row: unit.symbol, problem: "number \(string)")
        }
        if parts.count == 2 { return "Ratio(\(parts[0]), \(parts[1]))" }
        let decimals = string.split(separator: ".")
        guard decimals.count == 2 else { return "Ratio(\(string), 1)" }
        let digits = (decimals[0] + decimals[1]).drop { $0 == "0" }
        return "Ratio(\(digits), 1\(String(repeating: "0", count: decimals[1].count)))"
    }
}

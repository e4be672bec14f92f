private struct UnitsFile: Decodable {
    struct Prefix: Decodable {
        var symbol: String
        var aliases: [String]?
        var power: Int
    }
    struct Unit: Decodable {
        var symbol: String
        var aliases: [String]?
        var dimension: String
        var factor: String
        var zero: String?
        var prefixes: String?
        var molar: Bool?
    }
    var dimensions: [String]
    var prefixes: [Prefix]
    var units: [Unit]
}

extension Facts {
    func unitTable() throws -> String {
        let name = "units.json"
        let file = try read(UnitsFile.self, from: name)
        guard let scalar = file.dimensions.firstIndex(of: "scalar"), file.dimensions.count <= 32
        else { throw FactError(file: name, row: "dimensions", problem: "no scalar, or above 32") }
        var text = Facts.header(name)
        text += "extension UnitTable {\n    static let dimensions = [\n"
        for dimension in file.dimensions { text += "        \(dimension.literal),\n" }
        text += "    ]\n\n    static let scalar = \(scalar)\n\n"
        text += "    static let prefixes: [Prefix] = [\n"
        for prefix in file.prefixes {
            let aliases = Facts.aliases(prefix.aliases)
            text += "        Prefix(\(prefix.symbol.literal)\(aliases), power: \(prefix.power)),\n"
        }
        text += "    ]\n\n    static let symbols: [Symbol] = [\n"
        for unit in file.units {
            guard let dimension = file.dimensions.firstIndex(of: unit.dimension) else {
                throw FactError(file: name, row: unit.symbol, problem: "unknown dimension")
            }
            text += try symbol(unit, dimension: dimension, in: name)
        }
        return text + "    ]\n}\n"
    }

    private func symbol(
        _ unit: UnitsFile.Unit, dimension: Int, in file: String
    ) throws -> String {
        func ratio(_ string: String) throws -> String {
            guard let ratio = Facts.ratio(string) else {
                throw FactError(file: file, row: unit.symbol, problem: "bad number \(string)")
            }
            return ratio
        }
        var text = "        Symbol(\(unit.symbol.literal)\(Facts.aliases(unit.aliases))"
        text += ", dimension: \(dimension), ratio: \(try ratio(unit.factor))"
        if let zero = unit.zero { text += ", zero: \(try ratio(zero))" }
        if unit.prefixes == "si" { text += ", takesPrefix: true" }
        if unit.molar == true { text += ", isMolar: true" }
        return text + "),\n"
    }

    private static func aliases(_ aliases: [String]?) -> String {
        guard let aliases else { return "" }
        return ", aliases: [\(aliases.map(\.literal).joined(separator: ", "))]"
    }

    /// "453.59237" as 45359237 over 100000, "5/9" as it stands.
    private static func ratio(_ string: String) -> String? {
        let parts = string.split(separator: "/")
        guard parts.count <= 2, parts.allSatisfy({ Double($0) != nil }) else { return nil }
        if parts.count == 2 { return "Ratio(\(parts[0]), \(parts[1]))" }
        let decimals = string.split(separator: ".")
        guard decimals.count == 2 else { return "Ratio(\(string), 1)" }
        let digits = (decimals[0] + decimals[1]).drop { $0 == "0" }
        return "Ratio(\(digits), 1\(String(repeating: "0", count: decimals[1].count)))"
    }
}

private struct RegionalUnitsFile: Decodable {
    struct Row: Decodable {
        var metric: String
        var local: String
        var types: [String]?
        var regions: [String]
    }
    var units: [Row]
}

private struct UnsharableTypesFile: Decodable {
    var types: [String]
}

extension Facts {
    /// Generates the table of units that replace metric ones in some regions, such as pounds in the
    /// US.
    func regionalUnits() throws -> String {
        let file = "regional-units.json"
        var swift = SwiftText(from: file)
        let rows = try read(RegionalUnitsFile.self, from: file).units
        swift.line("extension RegionalUnits {")
        swift.line("    /// The first that fits counts.")
        swift.line("    static let rows: [Row] = [")
        swift.elements(
            "Row",
            rows.map { row in
                let types = row.types.map { ["only: \($0.sorted().literal)"] } ?? []
                let regions = row.regions.sorted().map(\.literal)
                return [row.metric.literal, row.local.literal] + types
                    + regions.enumerated().map { $0 == 0 ? "in: \($1)" : $1 }
            }, indent: 8)
        swift.line("    ]")
        swift.line("}")
        return swift.text
    }

    /// Generates the set of identifiers of the types that only Apple's software writes.
    func unsharableTypes() throws -> String {
        let file = "unsharable-types.json"
        var swift = SwiftText(from: file)
        swift.line("extension AuthorizationTypes {")
        swift.line(
            "    /// Types that only Apple's own software writes (§8.5), as far as they are known.")
        swift.line("    static let readOnly: Set<String> = [")
        for type in try read(UnsharableTypesFile.self, from: file).types.sorted() {
            swift.line("        \(type.literal),")
        }
        swift.line("    ]")
        swift.line("}")
        return swift.text
    }
}

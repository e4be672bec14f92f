private struct FHIRFile: Decodable {
    struct Unit: Decodable {
        var unit: String
        var ucum: String
        var scale: Int?
    }
    struct TypeCode: Decodable {
        var identifier: String
        var loinc: [String]
        var category: String?
        var profile: String?
        var ucum: String?
    }
    var units: [Unit]
    var types: [TypeCode]
}

extension Facts {
    /// Generates the LOINC codes of types and the UCUM codes of units.
    func fhirCodes() throws -> String {
        let name = "fhir-codes.json"
        let file = try read(FHIRFile.self, from: name)
        try requireDistinct(file.units.map(\.unit), name)
        try requireDistinct(file.types.map(\.identifier), name)
        var swift = SwiftText(from: name)
        swift.line("extension FHIRUnit {\n    static let rows: [FHIRUnit] = [")
        let units = file.units.map { unit in
            [unit.unit.literal, "ucum: \(unit.ucum.literal)"]
                + (unit.scale.map { ["scale: \($0)"] } ?? [])
        }
        swift.elements("FHIRUnit", units, indent: 8)
        swift.line("    ]\n}\n\nextension FHIRCode {\n    static let rows: [FHIRCode] = [")
        let types = file.types.map { type in
            [type.identifier.literal, "loinc: \(type.loinc.literal)"]
                + (type.category.map { ["category: \($0.literal)"] } ?? [])
                + (type.profile.map { ["profile: \($0.literal)"] } ?? [])
                + (type.ucum.map { ["ucum: \($0.literal)"] } ?? [])
        }
        swift.elements("FHIRCode", types, indent: 8)
        swift.line("    ]\n}")
        return swift.text
    }

    private func requireDistinct(_ names: [String], _ file: String) throws {
        var known: Set<String> = []
        for name in names where !known.insert(name).inserted {
            throw FactError(file: file, row: name, problem: "twice")
        }
    }
}

struct Enumeration: Decodable {
    struct Value: Decodable {
        var name: String
        var rawValue: Int
        var exportedName: String
        var aliasOf: String?
    }
    var enumeration: String
    var values: [Value]
}

private struct EnumerationsFile: Decodable {
    var enumerations: [Enumeration]
}

private struct MetadataFile: Decodable {
    struct Key: Decodable {
        var key: String
        var constant: String
        var kind: String
        var unit: String?
        var enumeration: String?
    }
    var keys: [Key]
}

private struct CharacteristicsFile: Decodable {
    struct Characteristic: Decodable {
        var code: Int
        var name: String
        var identifier: String
        var valueEnumeration: String?
    }
    var characteristics: [Characteristic]
}

private struct NamesFile: Decodable {
    struct Names: Decodable {
        var names: [String]
    }
    var names: [Names]
}

extension Facts {
    func enumerations(_ property: String, from file: String) throws -> String {
        var swift = SwiftText(from: file)
        swift.line("extension Catalogue {")
        try enumerations(property, from: [file], into: &swift)
        swift.line("}")
        return swift.text
    }

    func workouts() throws -> String {
        let files = (activities: "workout-activity-types.json", events: "workout-event-types.json")
        var swift = SwiftText(from: files.activities, files.events)
        swift.line("extension Catalogue {")
        try enumerations(
            "workoutEnumerations", from: [files.activities, files.events], into: &swift)
        swift.line("}")
        return swift.text
    }

    func characteristics() throws -> String {
        let name = "characteristics.json"
        var swift = SwiftText(from: name)
        swift.line("extension Catalogue {")
        swift.line("    /// The facts about a person that exports write on `Me`.")
        swift.line("    public static let characteristics: [Characteristic] = [")
        let rows = try read(CharacteristicsFile.self, from: name).characteristics
        let calls = rows.map { row in
            [
                "\(row.code)", row.identifier.literal, "name: \(row.name.literal)",
                "values: \(row.valueEnumeration?.literal ?? "nil")",
            ]
        }
        swift.elements("Characteristic", calls, indent: 8)
        swift.line("    ]\n")
        try enumerations("characteristicEnumerations", from: [name], into: &swift)
        swift.line("}")
        return swift.text
    }

    func metadataKeys() throws -> String {
        let name = "metadata-keys.json"
        var swift = SwiftText(from: name)
        swift.line("extension Catalogue {")
        swift.line("    /// Every key HealthKit defines.")
        swift.line("    public static let metadataKeys: [MetadataKey] = [")
        let calls = try read(MetadataFile.self, from: name).keys.map { row in
            let kind: String
            switch row.kind {
            case "quantity": kind = ".quantity(unit: \(row.unit?.literal ?? "nil"))"
            case "enumeration": kind = ".enumeration(\((row.enumeration ?? "").literal))"
            case "string", "number", "boolean", "date": kind = ".\(row.kind)"
            default: throw FactError(file: name, row: row.key, problem: "kind \(row.kind)")
            }
            return [row.key.literal, "constant: \(row.constant.literal)", kind]
        }
        swift.elements("MetadataKey", calls, indent: 8)
        swift.line("    ]\n}")
        return swift.text
    }

    func healthAppNames() throws -> String {
        let name = "health-app-names.json"
        var swift = SwiftText(from: name)
        swift.line("extension Catalogue {")
        swift.line("    /// What Apple's Health app calls itself as a source, in any language.")
        swift.line("    package static let healthAppNames: Set<String> = [")
        let names = try read(NamesFile.self, from: name).names.flatMap(\.names)
        for name in Set(names).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            swift.line("        \(name.literal),")
        }
        swift.line("    ]\n}")
        return swift.text
    }

    private func enumerations(
        _ property: String, from files: [String], into swift: inout SwiftText
    ) throws {
        swift.line("    static let \(property): [EnumerationRows] = [")
        for enumeration in try files.flatMap({
            try read(EnumerationsFile.self, from: $0).enumerations
        }) {
            swift.line("        EnumerationRows(\n            \(enumeration.enumeration.literal),")
            swift.line("            [")
            let calls = enumeration.values.map { value in
                ["\(value.rawValue)", value.name.literal, value.exportedName.literal]
                    + (value.aliasOf.map { ["aliasOf: \($0.literal)"] } ?? [])
            }
            swift.elements(".init", calls, indent: 16)
            swift.line("            ]),")
        }
        swift.line("    ]")
    }
}

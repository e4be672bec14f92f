/// A static constant of a generated structure with a string as its raw value.
struct NamedString {
    var name: String
    var string: String
    /// The text of the generated doc comment.
    var page: String
}

private struct TypesFile: Decodable {
    struct Row: Decodable {
        var name: String
        var identifier: String
        var introduced: String?
        var aggregation: String?
        var displayUnit: String?
        var valueEnumeration: String?
        /// HealthKit's class, such as "HKCorrelationType"; nil for quantity and category types.
        var `class`: String?
    }
    var types: [Row]
}

private struct CharacteristicsFile: Decodable {
    struct Row: Decodable {
        var name: String
        var identifier: String
        var introduced: String?
    }
    var characteristics: [Row]
}

private struct IdentifiersFile: Decodable {
    struct Structure: Decodable {
        struct Value: Decodable {
            var name: String
            var rawValue: String
        }
        var structure: String
        var introduced: String
        var values: [Value]
    }
    var structures: [Structure]
}

extension Facts {
    func quantityTypeIdentifiers() throws -> String {
        let file = "quantity-types.json"
        var swift = SwiftText(from: file)
        let rows = try read(TypesFile.self, from: file).types
        structure(
            "HKQuantityTypeIdentifier", "What a quantity type measures.",
            rows.map { row in
                let style = row.aggregation ?? ""
                let unit = row.displayUnit.flatMap { $0 == "count" ? nil : ", in `\($0)`" } ?? ""
                return NamedString(
                    name: row.name, string: row.identifier,
                    page: "`\(style)`\(unit); \(row.introduced ?? "").")
            }, into: &swift)
        return swift.text
    }

    func categoryTypeIdentifiers() throws -> String {
        let file = "category-types.json"
        var swift = SwiftText(from: file)
        structure(
            "HKCategoryTypeIdentifier", "What a category type records.",
            try read(TypesFile.self, from: file).types.map { row in
                NamedString(
                    name: row.name, string: row.identifier,
                    page: "Values: ``\(row.valueEnumeration ?? "")``; \(row.introduced ?? "").")
            }, into: &swift)
        return swift.text
    }

    func otherTypeIdentifiers() throws -> String {
        let files = (types: "other-types.json", people: "characteristics.json")
        var swift = SwiftText(from: files.types, files.people, "identifiers.json")
        let types = try read(TypesFile.self, from: files.types).types
        let families = [
            ("HKCorrelationType", "Which samples belong together."),
            ("HKDocumentType", "Which kind of document a sample holds."),
            ("HKClinicalType", "Which kind of clinical record a sample holds."),
            ("HKScoredAssessmentType", "Which questionnaire an assessment answers."),
        ]
        for (family, page) in families {
            structure(
                family + "Identifier", page,
                types.filter { $0.class == family }.map { row in
                    NamedString(
                        name: row.name, string: row.identifier, page: "\(row.introduced ?? "").")
                }, into: &swift)
            swift.line()
        }
        let people = try read(CharacteristicsFile.self, from: files.people).characteristics
        structure(
            "HKCharacteristicTypeIdentifier", "Which fact about a person.",
            people.compactMap { row in
                row.introduced.map {
                    NamedString(name: row.name, string: row.identifier, page: "\($0).")
                }
            }, into: &swift)
        for kind in try read(IdentifiersFile.self, from: "identifiers.json").structures {
            swift.line()
            structure(
                kind.structure, "Names of HealthKit's, \(kind.introduced).",
                kind.values.map {
                    NamedString(
                        name: $0.name, string: $0.rawValue,
                        page: $0.rawValue.contains("://") ? "A web address." : "`\($0.rawValue)`.")
                }, into: &swift)
        }
        return swift.text
    }

    private func structure(
        _ name: String, _ page: String, _ members: [NamedString], into swift: inout SwiftText
    ) {
        swift.line("/// \(page)")
        swift.line("public struct \(name): RawRepresentable, Hashable, Sendable {")
        swift.line("    public let rawValue: String\n")
        swift.line("    public init(rawValue: String) { self.rawValue = rawValue }\n")
        for member in members {
            swift.line("    /// \(member.page)")
            swift.assignment(
                "    public static let \(member.name)",
                "\(name)(rawValue: \(member.string.literal))")
        }
        swift.line("}")
    }
}

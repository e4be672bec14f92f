private struct TypesFile<Row: Decodable>: Decodable {
    var types: [Row]
}

private struct QuantityType: Decodable {
    var code: Int
    var name: String
    var identifier: String
    var aggregation: String
    var canonicalUnit: String
    var displayUnit: String
    var domain: String
    var requiredMetadata: [String]?
}

/// A category type or, if `aliasOf` isn't nil, an older name of a category type.
private struct CategoryType: Decodable {
    var code: Int?
    var aliasOf: String?
    var name: String
    var identifier: String
    var valueEnumeration: String
    var domain: String?
    var requiredMetadata: [String]?
}

private struct OtherType: Decodable {
    var code: Int
    var name: String
    var identifier: String
    var kind: String
    var domain: String
    var requiredMembers: [String]?
}

extension Facts {
    func quantityTypes() throws -> String {
        let name = "quantity-types.json"
        let rows = try read(TypesFile<QuantityType>.self, from: name).types
        var swift = SwiftText(from: name)
        swift.line("extension Catalogue {")
        swift.line("    static let quantityTypes: [SampleType] = [")
        let calls = rows.sorted { $0.code < $1.code }.map { row in
            var arguments = [
                "\(row.code)", row.identifier.literal, row.name.literal, ".\(row.domain)",
                ".\(row.aggregation)",
                "canonical: \(row.canonicalUnit.literal)", "display: \(row.displayUnit.literal)",
            ]
            if let keys = row.requiredMetadata { arguments.append("requires: \(keys.literal)") }
            return arguments
        }
        swift.elements(".quantity", calls, indent: 8)
        swift.line("    ]\n}")
        return swift.text
    }

    func categoryTypes() throws -> String {
        let name = "category-types.json"
        let rows = try read(TypesFile<CategoryType>.self, from: name).types
        var swift = SwiftText(from: name)
        swift.line("extension Catalogue {")
        swift.line("    static let categoryTypes: [SampleType] = [")
        let calls = try rows.filter { $0.aliasOf == nil }.map { row in
            guard let code = row.code, let domain = row.domain else {
                throw FactError(
                    file: name, row: row.name, problem: "neither code and domain nor aliasOf")
            }
            var arguments = [
                "\(code)", row.identifier.literal, row.name.literal, ".\(domain)",
                "values: \(row.valueEnumeration.literal)",
            ]
            if let keys = row.requiredMetadata { arguments.append("requires: \(keys.literal)") }
            return arguments
        }
        swift.elements(".category", calls, indent: 8)
        swift.line("    ]\n")
        swift.line("    /// Older names of types, to the names they go by now.")
        swift.line("    static let typeAliases: [String: String] = [")
        let aliases = rows.compactMap { row in
            row.aliasOf.map { "        \(row.name.literal): \($0.literal)" }
        }
        for alias in aliases { swift.line(alias + (aliases.count == 1 ? "" : ",")) }
        swift.line("    ]\n}")
        return swift.text
    }

    func otherTypes() throws -> String {
        let name = "other-types.json"
        let rows = try read(TypesFile<OtherType>.self, from: name).types
        var swift = SwiftText(from: name)
        swift.line("extension Catalogue {")
        swift.line("    static let otherTypes: [SampleType] = [")
        let calls = rows.sorted { $0.code < $1.code }.map { row in
            var arguments = [
                "\(row.code)", row.identifier.literal, row.name.literal, ".\(row.domain)",
                ".\(row.kind)",
            ]
            if let members = row.requiredMembers { arguments.append("members: \(members.literal)") }
            return arguments
        }
        swift.elements(".other", calls, indent: 8)
        swift.line("    ]\n}")
        return swift.text
    }
}

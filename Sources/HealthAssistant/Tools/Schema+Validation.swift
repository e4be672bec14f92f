extension Schema {
    /// The maximum length of a text in UTF-8. No name, period or cursor is as long.
    static let maximumText = 500

    /// Returns why a value doesn't conform to the schema; nil if it does. The sentence names the
    /// member and what it must be, so that the caller can correct it.
    ///
    /// - Parameter name: The name of the value, such as "by".
    package func problem(of value: JSONValue, named name: String) -> String? {
        if isNullable, value == .null { return nil }
        switch (kind, value) {
        case (.string, .string(let text)) where text.utf8.count > Schema.maximumText:
            return "\(name) is too long: a text has at most \(Schema.maximumText) bytes."
        case (.string(let choices), .string(let text)):
            if choices.isEmpty || choices.contains(text) { return nil }
            return "\(name) must be one of \(choices.joined(separator: ", ")), not "
                + "“\(text.excerpt(40))”."
        case (.integer(let range), .integer(let number)):
            guard let range, !range.contains(number) else { return nil }
            return "\(name) must be from \(range.lowerBound) to \(range.upperBound)."
        case (.number, .integer), (.number, .number), (.boolean, .bool): return nil
        case (.array(let element), .array(let values)):
            for value in values {
                if let problem = element.problem(of: value, named: name) { return problem }
            }
            return nil
        case (.object(let properties), .object(let members)):
            return Self.problem(of: members, properties, name)
        default: return "\(name) must be \(Self.article[typeName] ?? "a") \(typeName)."
        }
    }

    private static let article = ["integer": "an", "array": "an", "object": "an"]

    private static func problem(
        of members: [String: JSONValue], _ properties: [Property], _ name: String
    ) -> String? {
        let known = properties.map(\.name)
        if let unknown = members.keys.filter({ !known.contains($0) }).min() {
            let names = known.isEmpty ? "nothing" : known.joined(separator: ", ")
            return "\(name) has no “\(unknown.excerpt(40))”. It takes \(names)."
        }
        for property in properties {
            // A model writes null for an argument that it leaves out.
            guard let value = members[property.name],
                value != .null || property.schema.isNullable
            else {
                if !property.isRequired { continue }
                let hint = property.schema.description.map { ": \($0)" } ?? ""
                return "\(property.name) is missing\(hint)"
            }
            if let problem = property.schema.problem(of: value, named: property.name) {
                return problem
            }
        }
        return nil
    }
}

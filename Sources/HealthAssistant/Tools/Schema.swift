package import HealthStorage

/// A JSON Schema (2020-12), limited to what all clients understand.
package struct Schema: Sendable {
    package indirect enum Kind: Sendable {
        /// A text; one of the choices if there are any.
        case string(choices: [String])
        case integer(ClosedRange<Int>?)
        case number
        case boolean
        case array(Schema)
        case object([Property])
    }

    /// A member of an object.
    package struct Property: Sendable {
        package var name: String
        package var schema: Schema
        package var isRequired: Bool
    }

    package var kind: Kind
    /// What the value means, for the reader of the schema; nil for none.
    package var description: String?
    /// Whether null is a value too.
    package var isNullable = false

    package init(_ kind: Kind, _ description: String? = nil) {
        self.kind = kind
        self.description = description
    }

    /// The schema that also permits null.
    package var orNull: Schema {
        var schema = self
        schema.isNullable = true
        return schema
    }

    package static func text(_ description: String? = nil) -> Schema {
        Schema(.string(choices: []), description)
    }

    package static func choice(_ choices: [String], _ description: String? = nil) -> Schema {
        Schema(.string(choices: choices), description)
    }

    package static func integer(
        _ range: ClosedRange<Int>? = nil, _ description: String? = nil
    ) -> Schema {
        Schema(.integer(range), description)
    }

    package static func number(_ description: String? = nil) -> Schema {
        Schema(.number, description)
    }

    package static func boolean(_ description: String? = nil) -> Schema {
        Schema(.boolean, description)
    }

    package static func array(of schema: Schema, _ description: String? = nil) -> Schema {
        Schema(.array(schema), description)
    }

    package static func object(
        _ properties: [Property], _ description: String? = nil
    ) -> Schema {
        Schema(.object(properties), description)
    }
}

extension Schema.Property {
    package static func required(_ name: String, _ schema: Schema) -> Self {
        Self(name: name, schema: schema, isRequired: true)
    }

    package static func optional(_ name: String, _ schema: Schema) -> Self {
        Self(name: name, schema: schema, isRequired: false)
    }
}

extension Schema {
    /// The schema as JSON. Objects permit only the listed members.
    package var json: JSONText {
        var members: [(key: String, value: JSONText)] = []
        let name = JSONText.string(typeName)
        members.append(("type", isNullable ? .array([name, .string("null")]) : name))
        if let description { members.append(("description", .string(description))) }
        switch kind {
        case .string(let choices) where !choices.isEmpty:
            members.append(("enum", .array(choices.map { .string($0) })))
        case .integer(let range?):
            members.append(("minimum", .integer(range.lowerBound)))
            members.append(("maximum", .integer(range.upperBound)))
        case .array(let element): members.append(("items", element.json))
        case .object(let properties):
            if !properties.isEmpty {
                let schemas = properties.map { (key: $0.name, value: $0.schema.json) }
                members.append(("properties", .object(schemas)))
            }
            let required = properties.filter(\.isRequired)
            if !required.isEmpty {
                members.append(("required", .array(required.map { .string($0.name) })))
            }
            members.append(("additionalProperties", .bool(false)))
        default: break
        }
        return .object(members)
    }

    var typeName: String {
        switch kind {
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .array: "array"
        case .object: "object"
        }
    }
}

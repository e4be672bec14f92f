package import HealthStorage

extension JSONValue {
    /// The value for output. The members of objects are in the order of their names.
    package var output: JSONText {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.output))
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.output) })
        }
    }
}

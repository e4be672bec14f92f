/// A JSON value that was received.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without a fraction or an exponent that fits into 64 bits.
    case integer(Int)
    /// Any other number; infinite if it is too large for a double.
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// An object. Of members with the same name, the last one counts.
    case object([String: JSONValue])

    /// The text of a string; nil for other values.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The members of an object; nil for other values.
    package var members: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The elements of an array; nil for other values.
    package var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The value of an object's member; nil if there is none, or for other values.
    package subscript(name: String) -> JSONValue? { members?[name] }
}

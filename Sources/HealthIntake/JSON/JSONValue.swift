/// A JSON value of one record.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number, with its text. NaN and infinity are not JSON, but 1e400 is, and is infinite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// The members in their order. If a name occurs twice, the last one counts.
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONValue
    }

    /// The member with a name; nil for null, for a missing one, and for a value that is no object.
    subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self,
            let member = members.last(where: { $0.name == name }), member.value != .null
        else { return nil }
        return member.value
    }

    /// The text of a string; nil otherwise.
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The elements of an array; nil otherwise.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; nil otherwise.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// A finite number, also one that is written as a string; nil otherwise.
    var number: Double? {
        switch self {
        case .number(let value): value.isFinite ? value : nil
        case .string(let text): JSONReader.number(text)
        default: nil
        }
    }

    /// A whole number; nil otherwise.
    var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// A boolean, also one that is written as "true", "1" or 1; nil otherwise.
    var bool: Bool? {
        switch self {
        case .bool(let value): value
        case .number(let value): value == 1 ? true : value == 0 ? false : nil
        case .string(let text):
            switch text.lowercased() {
            case "true", "1", "yes": true
            case "false", "0", "no": false
            default: nil
            }
        default: nil
        }
    }
}

extension JSONValue {
    /// The value as JSON text in one line.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value):
            if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
                text += String(whole)
            } else {
                text += value.isFinite ? "\(value)" : value < 0 ? "-1e999" : "1e999"
            }
        case .string(let string): JSONValue.write(string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                JSONValue.write(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

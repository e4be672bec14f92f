/// A JSON value whose keys keep the order they were given in.
enum JSONText {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONText])
    indirect case object([(key: String, value: JSONText)])

    /// An object of the pairs that have a value.
    static func object(_ pairs: KeyValuePairs<String, JSONText?>) -> JSONText {
        .object(pairs.compactMap { pair in pair.value.map { (pair.key, $0) } })
    }

    /// Text or null: a key of the contract is always there.
    static func text(_ text: String?) -> JSONText { text.map(JSONText.string) ?? .null }
    static func amount(_ value: Double?) -> JSONText { value.map(JSONText.number) ?? .null }

    /// The value in one line, in UTF-8.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? NumberText.shortest(value) : "null"
        case .string(let value): JSONText.quote(value, in: &text)
        case .array(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                item.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                JSONText.quote(member.key, in: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func quote(_ string: String, in text: inout String) {
        text += "\""
        var rest = string.utf8[...]
        while let stop = rest.firstIndex(where: {
            $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F
        }) {
            text += Substring(rest[..<stop])
            text += escaped(rest[stop])
            rest = rest[rest.index(after: stop)...]
        }
        text += Substring(rest)
        text += "\""
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case 0x22: "\\\""
        case 0x5C: "\\\\"
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x09: "\\t"
        default: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}

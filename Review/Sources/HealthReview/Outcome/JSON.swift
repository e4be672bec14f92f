/// A JSON value that keeps the order of its members, so that output is identical between runs.
indirect enum JSON {
    case object([(String, JSON)])
    case array([JSON])
    case string(String)
    case number(Int)
    case bool(Bool)

    /// The JSON text, indented by two spaces per level, without a final newline.
    var text: String {
        var text = ""
        write(to: &text, indent: "")
        return text
    }

    private func write(to text: inout String, indent: String) {
        let inner = indent + "  "
        switch self {
        case .string(let value): text += Self.quoted(value)
        case .number(let value): text += "\(value)"
        case .bool(let value): text += value ? "true" : "false"
        case .array(let values):
            if values.isEmpty {
                text += "[]"
                return
            }
            text += "["
            for (index, value) in values.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + inner
                value.write(to: &text, indent: inner)
            }
            text += "\n" + indent + "]"
        case .object(let members):
            if members.isEmpty {
                text += "{}"
                return
            }
            text += "{"
            for (index, (key, value)) in members.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + inner + Self.quoted(key) + ": "
                value.write(to: &text, indent: inner)
            }
            text += "\n" + indent + "}"
        }
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

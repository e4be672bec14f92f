/// A JSON value for output, whose objects keep the order of their keys.
///
/// ```swift
/// JSONText.object(["sum": .number(0.1), "unit": .string("km"), "end": nil]).text
/// // {"sum":0.1,"unit":"km"}
/// ```
/// The JSON of the command, of import reports, exports and stored metadata is written with it.
/// Values that conform to `Encodable` are written by Foundation's `JSONEncoder` instead, for
/// example by `MirrorJSON` for mirrors and by `PageJSON` for pages.
package enum JSONText {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONText])
    indirect case object([(key: String, value: JSONText)])

    /// Creates an object from the pairs with a value.
    ///
    /// - Parameter pairs: Keys and values; pairs with nil are left out.
    /// - Returns: A JSON object.
    package static func object(_ pairs: KeyValuePairs<String, JSONText?>) -> JSONText {
        .object(pairs.compactMap { pair in pair.value.map { (pair.key, $0) } })
    }

    /// Creates an object of counts, sorted by name.
    ///
    /// - Parameter counts: Counts by name.
    /// - Returns: A JSON object.
    package static func counts(_ counts: [String: Int]) -> JSONText {
        .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
    }

    /// Creates a string or null, for keys that must always be present.
    ///
    /// - Parameter text: The string; nil for null.
    /// - Returns: A JSON value.
    package static func text(_ text: String?) -> JSONText { text.map(JSONText.string) ?? .null }
    /// Creates a number or null, for keys that must always be present.
    ///
    /// - Parameter value: The number; nil for null.
    /// - Returns: A JSON value.
    package static func amount(_ value: Double?) -> JSONText { value.map(JSONText.number) ?? .null }

    /// The value as JSON in one line.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// Appends the value as JSON in one line.
    ///
    /// - Parameter text: The text to append to.
    /// - Complexity: O(length of the JSON).
    package func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += JSONText.number(value)
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

    /// Returns a number with the fewest digits that parse to the same double: `8214`, `0.1`,
    /// `0.000015`, `1e+21`. Only magnitudes below 10⁻¹², except 0, and from 10²¹ on have an
    /// exponent.
    ///
    /// - Parameter value: The number.
    /// - Returns: The number; `null` if it isn't finite, which JSON can't represent.
    package static func number(_ value: Double) -> String {
        if !value.isFinite { return "null" }
        // Integers of up to 15 digits are exact. -0 is left out, because `Int64` has no -0.
        if abs(value) < 1e15, value != 0 || value.sign == .plus, let whole = Int64(exactly: value) {
            return String(whole)
        }
        let text = "\(value)"
        if text.hasSuffix(".0"), text != "-0.0" { return String(text.dropLast(2)) }
        guard let mark = text.firstIndex(of: "e"),
            let power = Int(text[text.index(after: mark)...]),
            (-12...20).contains(power)
        else { return text }
        return plain(text[..<mark], power: power)
    }

    /// Returns a mantissa times a power of ten without an exponent: "1.5" and -5 give "0.000015".
    private static func plain(_ mantissa: Substring, power: Int) -> String {
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        var digits = mantissa.filter(\.isNumber)
        while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
        if power < 0 { return sign + "0." + String(repeating: "0", count: -power - 1) + digits }
        return sign + digits + String(repeating: "0", count: max(0, power + 1 - digits.count))
    }

    /// Appends a quoted string. Quotes, backslashes and control characters, including DEL, are
    /// escaped.
    ///
    /// - Parameters:
    ///   - string: The string.
    ///   - text: The text to append to.
    package static func quote(_ string: String, in text: inout String) {
        text += "\""
        var remaining = string.utf8[...]
        defer { text += "\"" }
        while let stop = remaining.firstIndex(where: {
            $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F
        }) {
            text += Substring(remaining[..<stop])
            text += escaped(remaining[stop])
            remaining = remaining[remaining.index(after: stop)...]
        }
        if remaining.startIndex == string.utf8.startIndex {
            text += string
        } else {
            text += Substring(remaining)
        }
    }

    /// Returns a quoted string, escaped as by ``quote(_:in:)``.
    static func quoted(_ string: String) -> String {
        var text = ""
        quote(string, in: &text)
        return text
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

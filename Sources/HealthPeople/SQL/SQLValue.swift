/// A value of a parameter or of a result.
///
/// SQLite has no booleans: there, `boolean` is stored as 0 or 1 and read as `integer`.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    case boolean(Bool)

    /// The kind of value for an error message, without the value.
    var kind: String {
        switch self {
        case .null: "null"
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .bytes: "bytes"
        case .boolean: "a boolean"
        }
    }
}

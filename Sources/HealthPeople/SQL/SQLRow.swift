/// One row of a result. Columns are read by their position, from 0.
///
/// ```swift
/// let row = try connection.execute("SELECT name, born FROM person").rows[0]
/// let name = try row.text(0)
/// let born = try row.optionalDouble(1)    // nil for NULL
/// ```
/// A column that doesn't exist or has another type is an ``SQLError`` with the code
/// ``SQLError/Code/unexpectedValue(column:)``, which doesn't contain the value.
package struct SQLRow: Hashable, Sendable {
    /// The values in the order of the columns.
    package let values: [SQLValue]

    package init(_ values: [SQLValue]) { self.values = values }

    /// Returns an integer.
    package func int(_ column: Int) throws(SQLError) -> Int {
        try required(optionalInt(column), "an integer", column)
    }

    /// Returns an integer; nil for NULL.
    package func optionalInt(_ column: Int) throws(SQLError) -> Int? {
        switch try value(column) {
        case .null: return nil
        case .integer(let value):
            if let value = Int(exactly: value) { return value }
            throw unexpected("an integer that doesn't fit", "an integer", column)
        case let other: throw unexpected(other.kind, "an integer", column)
        }
    }

    /// Returns a real number. An integer is converted, because an expression of SQLite can yield
    /// either.
    package func double(_ column: Int) throws(SQLError) -> Double {
        try required(optionalDouble(column), "a real number", column)
    }

    /// Returns a real number as ``double(_:)``; nil for NULL.
    package func optionalDouble(_ column: Int) throws(SQLError) -> Double? {
        switch try value(column) {
        case .null: nil
        case .real(let value): value
        case .integer(let value): Double(value)
        case let other: throw unexpected(other.kind, "a real number", column)
        }
    }

    /// Returns a text.
    package func text(_ column: Int) throws(SQLError) -> String {
        try required(optionalText(column), "text", column)
    }

    /// Returns a text; nil for NULL.
    package func optionalText(_ column: Int) throws(SQLError) -> String? {
        switch try value(column) {
        case .null: nil
        case .text(let value): value
        case let other: throw unexpected(other.kind, "text", column)
        }
    }

    /// Returns bytes.
    package func bytes(_ column: Int) throws(SQLError) -> [UInt8] {
        try required(optionalBytes(column), "bytes", column)
    }

    /// Returns bytes; nil for NULL.
    package func optionalBytes(_ column: Int) throws(SQLError) -> [UInt8]? {
        switch try value(column) {
        case .null: nil
        case .bytes(let value): value
        case let other: throw unexpected(other.kind, "bytes", column)
        }
    }

    /// Returns a boolean. The integers 0 and 1 are accepted, because SQLite has no booleans.
    package func bool(_ column: Int) throws(SQLError) -> Bool {
        try required(optionalBool(column), "a boolean", column)
    }

    /// Returns a boolean as ``bool(_:)``; nil for NULL.
    package func optionalBool(_ column: Int) throws(SQLError) -> Bool? {
        switch try value(column) {
        case .null: nil
        case .boolean(let value): value
        case .integer(0): false
        case .integer(1): true
        case let other: throw unexpected(other.kind, "a boolean", column)
        }
    }

    private func value(_ column: Int) throws(SQLError) -> SQLValue {
        guard values.indices.contains(column) else {
            throw unexpected("no value", "one of \(values.count) columns", column)
        }
        return values[column]
    }

    private func required<Value>(
        _ value: Value?, _ expected: String, _ column: Int
    ) throws(SQLError) -> Value {
        guard let value else { throw unexpected("null", expected, column) }
        return value
    }

    private func unexpected(_ found: String, _ expected: String, _ column: Int) -> SQLError {
        SQLError(
            .unexpectedValue(column: column),
            detail: "Column \(column) contains \(found), not \(expected).")
    }
}

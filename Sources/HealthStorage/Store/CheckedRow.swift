import Foundation
import GRDB

/// A Swift type that the value of a stored column can be decoded as.
///
/// Any program can change the file, and SQLite stores a value of any type in nearly any column.
/// GRDB's own accessors convert a value of the wrong type or trap. ``stored(_:)`` returns nil for
/// it, and ``CheckedRow`` throws.
protocol StoredValue {
    /// Returns the value; nil if it has another type, or is an integer that doesn't fit. Integers
    /// are also converted to `Double` and to `Bool`, where any but 0 is true.
    static func stored(_ value: DatabaseValue) -> Self?
}

extension Int64: StoredValue {
    static func stored(_ value: DatabaseValue) -> Int64? {
        if case .int64(let number) = value.storage { number } else { nil }
    }
}

extension Int: StoredValue {
    static func stored(_ value: DatabaseValue) -> Int? {
        Int64.stored(value).flatMap { Int(exactly: $0) }
    }
}

extension Int32: StoredValue {
    static func stored(_ value: DatabaseValue) -> Int32? {
        Int64.stored(value).flatMap { Int32(exactly: $0) }
    }
}

extension UInt8: StoredValue {
    static func stored(_ value: DatabaseValue) -> UInt8? {
        Int64.stored(value).flatMap { UInt8(exactly: $0) }
    }
}

extension Bool: StoredValue {
    static func stored(_ value: DatabaseValue) -> Bool? { Int64.stored(value).map { $0 != 0 } }
}

extension Double: StoredValue {
    static func stored(_ value: DatabaseValue) -> Double? {
        switch value.storage {
        case .double(let number): number
        case .int64(let number): Double(number)
        default: nil
        }
    }
}

extension String: StoredValue {
    static func stored(_ value: DatabaseValue) -> String? {
        if case .string(let text) = value.storage { text } else { nil }
    }
}

extension Data: StoredValue {
    static func stored(_ value: DatabaseValue) -> Data? {
        if case .blob(let bytes) = value.storage { bytes } else { nil }
    }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    static func stored(_ value: DatabaseValue) -> Wrapped?? {
        value.isNull ? .some(nil) : Wrapped.stored(value).map { .some($0) }
    }
}

/// A row of a query whose values are type-checked when they are read.
///
/// ```swift
/// for row in try CheckedRow.readAll(db, sql: "SELECT folded, source FROM source_alias") {
///     let (name, source): (String, Int64) = (try row["folded"], try row["source"])
/// }
/// ```
struct CheckedRow {
    private let row: Row
    private let sql: String

    private init(_ row: Row, _ sql: String) {
        self.row = row
        self.sql = sql
    }

    /// The value of a column by name. Use an optional type for a column that can be NULL. A column
    /// that the query doesn't read counts as NULL.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for a value of another type, or out of range for
    ///   a column of this name.
    subscript<Value: StoredValue>(column: String) -> Value {
        get throws {
            try value((row[column] as DatabaseValue?) ?? .null, of: column)
        }
    }

    /// The value of a column by position, for queries whose column names are ambiguous or unknown.
    ///
    /// - Throws: ``StoreError`` of code `failed` if the query has fewer columns; of code `corrupt`
    ///   as for a name.
    subscript<Value: StoredValue>(column: some StatementField) -> Value {
        get throws {
            let index = Int(column.position)
            guard index < row.count else {
                throw StoreError(.invalidStatement(.missingColumn(column.sql), sql: sql))
            }
            let names = row.columnNames
            let name = names[names.index(names.startIndex, offsetBy: index)]
            return try value(row[index] as DatabaseValue, of: name)
        }
    }

    /// The value of the query's only column. Throws an error of code `failed` if it has none or
    /// several.
    fileprivate func only<Value: StoredValue>() throws -> Value {
        guard let (column, stored) = row.first, row.count == 1 else {
            throw StoreError(.invalidStatement(.notOneColumn, sql: sql))
        }
        return try value(stored, of: column)
    }

    private func value<Value: StoredValue>(
        _ stored: DatabaseValue, of column: String
    ) throws -> Value {
        guard ColumnRule.allows(stored, in: column), let value = Value.stored(stored) else {
            let number = ["sequence", "id", "code"].lazy
                .compactMap { (row[$0] as DatabaseValue?).flatMap(Int64.stored) }.first
            throw StoreError.damaged(column, of: sql, row: number)
        }
        return value
    }

    static func readAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [CheckedRow] {
        try readAll(KeptStatements.statement(db, sql), arguments: arguments)
    }

    static func readAll(
        _ statement: Statement, arguments: StatementArguments = StatementArguments()
    ) throws -> [CheckedRow] {
        try Row.fetchAll(statement, arguments: arguments).map { CheckedRow($0, statement.sql) }
    }

    static func readAll(_ db: Database, _ request: SQLRequest<Row>) throws -> [CheckedRow] {
        try request.fetchAll(db).map { CheckedRow($0, "") }
    }

    static func readOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> CheckedRow? {
        try Row.fetchOne(KeptStatements.statement(db, sql), arguments: arguments)
            .map { CheckedRow($0, sql) }
    }

    static func readOne(_ db: Database, _ request: SQLRequest<Row>) throws -> CheckedRow? {
        try request.fetchOne(db).map { CheckedRow($0, "") }
    }

    /// Calls `body` with each row in turn. A row is valid only during its call.
    static func forEach(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        _ body: (CheckedRow) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        while let row = try rows.next() { try body(CheckedRow(row, sql)) }
    }
}

/// Reading the only column of a query.
extension StoredValue {
    /// Returns the value in the first row; nil if there is no row or the value is NULL.
    static func readOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try CheckedRow.readOne(db, sql: sql, arguments: arguments)
            .flatMap { try $0.only() as Self? }
    }

    static func readOne(
        _ statement: Statement, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try CheckedRow.readAll(statement, arguments: arguments).first
            .flatMap { try $0.only() as Self? }
    }

    static func readAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try CheckedRow.readAll(db, sql: sql, arguments: arguments).map { try $0.only() as Self }
    }

    static func readAll(
        _ statement: Statement, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try CheckedRow.readAll(statement, arguments: arguments).map { try $0.only() as Self }
    }
}

extension StoredValue where Self: Hashable {
    static func readSet(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Set<Self> {
        Set(try readAll(db, sql: sql, arguments: arguments))
    }
}

extension StoreError {
    /// Returns the error for a value that no version of this program writes. It names the place,
    /// never the value.
    ///
    /// - Parameters:
    ///   - column: The column's name.
    ///   - sql: The query that reads it. Its table names are used in the message.
    ///   - row: The row's number, if the query reads it.
    static func damaged(_ column: String, of sql: String, row: Int64?) -> StoreError {
        .damaged(place(of: column, in: sql) + (row.map { ", row \($0)" } ?? ""))
    }

    /// Returns the column's name with its table, or with all tables of the statement if it has
    /// several.
    static func place(of column: String, in sql: String) -> String {
        let words = sql.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        let tables = zip(words, words.dropFirst())
            .filter { ["FROM", "JOIN", "INTO", "UPDATE"].contains($0.0) }.map { String($0.1) }
        let among = tables.count > 1 ? " of \(Set(tables).sorted().joined(separator: " or "))" : ""
        return (tables.count == 1 ? tables[0] + "." + column : column) + among
    }

    /// Returns the error for a damaged value.
    ///
    /// - Parameter place: A table and column, or another description of what is damaged.
    static func damaged(_ place: String) -> StoreError {
        StoreError(.damagedValue(at: place))
    }
}

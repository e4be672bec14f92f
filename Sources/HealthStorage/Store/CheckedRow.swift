import Foundation
import GRDB

/// A type of value that a column of a store may hold.
///
/// A file may be changed by any program, so that a column may hold a value of any type. GRDB's own
/// accessors convert such a value, or end the process; these give nil for it, and a ``CheckedRow``
/// throws.
protocol StoredValue {
    /// The value if it is of this type; nothing is converted but an integer to a `Double`.
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

/// A row of a store whose columns are read with a check of their type.
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

    /// The value of a column; an optional type where NULL may stand.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for a value of another type.
    subscript<Value: StoredValue>(column: String) -> Value {
        get throws {
            try value((row[column] as DatabaseValue?) ?? .null, of: column)
        }
    }

    /// The value of a column by its place in the query, from 0 on; otherwise as by name.
    subscript<Value: StoredValue>(index: Int) -> Value {
        get throws {
            let stored: DatabaseValue = row[index]
            return try value(stored, of: Array(row.columnNames)[index])
        }
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
        try Row.fetchAll(db, sql: sql, arguments: arguments).map { CheckedRow($0, sql) }
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
        try Row.fetchOne(db, sql: sql, arguments: arguments).map { CheckedRow($0, sql) }
    }

    static func readOne(_ db: Database, _ request: SQLRequest<Row>) throws -> CheckedRow? {
        try request.fetchOne(db).map { CheckedRow($0, "") }
    }

    /// Reads rows one by one; a row lasts as long as its call.
    static func forEach(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        _ body: (CheckedRow) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        while let row = try rows.next() { try body(CheckedRow(row, sql)) }
    }
}

/// The first column of a query.
extension StoredValue {
    /// The first row's value; nil if there is no row, or NULL stands there.
    static func readOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try CheckedRow.readOne(db, sql: sql, arguments: arguments).flatMap { try $0[0] as Self? }
    }

    static func readOne(
        _ statement: Statement, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try CheckedRow.readAll(statement, arguments: arguments).first
            .flatMap { try $0[0] as Self? }
    }

    static func readAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try CheckedRow.readAll(db, sql: sql, arguments: arguments).map { try $0[0] as Self }
    }

    static func readAll(
        _ statement: Statement, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try CheckedRow.readAll(statement, arguments: arguments).map { try $0[0] as Self }
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
    /// A value that no version of this program writes there. Only its place is named.
    ///
    /// - Parameters:
    ///   - column: The column's name.
    ///   - sql: The query that reads it, from which the tables are taken.
    ///   - row: The row's number, if the query reads it.
    static func damaged(_ column: String, of sql: String, row: Int64?) -> StoreError {
        let words = sql.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        let tables = zip(words, words.dropFirst())
            .filter { ["FROM", "JOIN"].contains($0.0) }.map { String($0.1) }
        let place = tables.count == 1 ? tables[0] + "." + column : column
        let among = tables.count > 1 ? " of \(Set(tables).sorted().joined(separator: " or "))" : ""
        return .damaged(place + among + (row.map { ", row \($0)" } ?? ""))
    }

    /// - Parameter place: A table and column, or what else is damaged.
    static func damaged(_ place: String) -> StoreError {
        StoreError(
            .corrupt,
            "The store is damaged at \(place): something has written there what openhealth never "
                + "does. Look it over with: openhealth check")
    }
}

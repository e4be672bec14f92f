import GRDB

/// A column of a query, with its index in the row.
///
/// The cases are in the order of the columns. The SQL is generated from them, so names and
/// positions always match. HealthStorage, which this module cannot import where Apple's HealthKit
/// is used, has a similar protocol for SQLite's C API.
/// ```swift
/// enum Column: Int, RowColumn { case uuid, syncVersion }
///
/// for row in try Row.fetchAll(db, sql: "SELECT \(Column.columns) FROM entry") {
///     let (uuid, version): (UUID, Double?) = try (
///         row.value(Column.uuid), row.optional(Column.syncVersion))
/// }
/// ```
protocol RowColumn: CaseIterable, RawRepresentable<Int> {
    /// The column's name or an expression; by default `sync_version` for the case `syncVersion`.
    var sql: String { get }
}

extension RowColumn {
    var sql: String { name }

    /// The case's name in snake case.
    var name: String {
        String(describing: self).reduce(into: "") { name, letter in
            if letter.isUppercase { name += "_" }
            name += letter.lowercased()
        }
    }

    /// The columns of a `SELECT`: "uuid, sync_version".
    static var columns: String { allCases.map(\.sql).joined(separator: ", ") }

    /// The columns and placeholders of an `INSERT`: "(uuid, sync_version) VALUES (?, ?)".
    static var inserted: String {
        let marks = Array(repeating: "?", count: allCases.count)
        return "(\(columns)) VALUES (\(marks.joined(separator: ", ")))"
    }
}

// GRDB's subscripts trap on values of another type, which a damaged file may contain.
extension Row {
    /// Returns the value of a column that is not NULL.
    ///
    /// - Throws: ``MirrorError/corrupt(_:)`` with the column's name if it is NULL or of another
    ///   type.
    func value<Value: DatabaseValueConvertible>(_ column: some RowColumn) throws -> Value {
        guard let value: Value = try optional(column) else { throw damage(column) }
        return value
    }

    /// Returns the value of a column that may be NULL.
    ///
    /// - Throws: ``MirrorError/corrupt(_:)`` with the column's name if it is of another type.
    func optional<Value: DatabaseValueConvertible>(_ column: some RowColumn) throws -> Value? {
        // A query that isn't generated from the cases may have fewer columns, and GRDB would trap.
        guard column.rawValue < count else { throw damage(column) }
        let stored: DatabaseValue = self[column.rawValue]
        if stored.isNull { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw damage(column) }
        return value
    }

    private func damage(_ column: some RowColumn) -> MirrorError {
        let name = column.rawValue < count ? Array(columnNames)[column.rawValue] : column.sql
        return .corrupt("column " + name)
    }
}

extension PositionKey {
    enum Column: Int, RowColumn { case lane, type, filter }

    /// Creates a key from a row with the columns of ``Column``.
    init(_ row: Row) throws {
        self.init(
            subscriber: try row.value(Column.lane), type: try row.value(Column.type),
            filter: try row.value(Column.filter))
    }
}

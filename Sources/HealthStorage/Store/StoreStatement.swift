import GRDB
import GRDBSQLite
import HealthEngine

/// A prepared statement over SQLite's C API.
///
/// It is faster than GRDB's rows and arguments. Use it where many rows are read or written, and
/// GRDB elsewhere, see ``CheckedRow``. Parameters and columns are named, see ``StatementField``.
/// Result codes of SQLite are checked, except those that repeat an earlier one.
///
/// SQLite stores any type in nearly any column, and a text in a time column would sort after all
/// times. So ``step()`` throws for a row with a value that its column's declaration doesn't allow.
struct StoreStatement<Parameter: StatementField, ResultColumn: StatementField>: ~Copyable {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    /// The statement that the connection keeps; nil if it is of this value alone.
    private let kept: Statement?
    /// The allowed values of each column, from the declarations of the tables.
    private let columns: [ColumnRule]
    /// The number of parameters of each inserted row.
    private let width: Int32

    /// Prepares a statement.
    ///
    /// - Parameter rows: The number of inserted rows whose values are bound at once.
    init(_ db: Database, _ sql: String, rows: Int32 = 1) throws {
        guard let connection = db.sqliteConnection else {
            throw StoreError(.closed)
        }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw DatabaseError(code, connection)
        }
        guard Self.hasNames(statement, rows) else {
            // It was never stepped, so finalize has no error to report.
            sqlite3_finalize(statement)
            throw StoreError.misnamed(sql)
        }
        self.init(statement, connection, nil)
    }

    /// Uses a statement that the connection keeps, and prepares it if there is none. For statements that
    /// many short transactions need.
    init(kept db: Database, _ sql: String) throws {
        guard let connection = db.sqliteConnection else {
            throw StoreError(.closed)
        }
        guard let kept = try KeptStatements.take(db, sql) else {
            try self.init(db, sql)
            return
        }
        guard Self.hasNames(kept.sqliteStatement, 1) else {
            KeptStatements.giveBack(kept)
            throw StoreError.misnamed(sql)
        }
        self.init(kept.sqliteStatement, connection, kept)
    }

    private init(_ statement: OpaquePointer, _ connection: OpaquePointer, _ kept: Statement?) {
        columns = (0..<ResultColumn.count).map { ColumnRule(statement, $0) }
        width = Parameter.count
        self.statement = statement
        self.connection = connection
        self.kept = kept
    }

    /// Returns whether the columns and parameters of a statement are those of the enums.
    private static func hasNames(_ statement: OpaquePointer, _ rows: Int32) -> Bool {
        sqlite3_column_count(statement) == ResultColumn.count
            && sqlite3_bind_parameter_count(statement) <= Parameter.count * rows
    }

    // Reset and finalize repeat the error of the last step, which was thrown there.
    deinit {
        if let kept {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
            KeptStatements.giveBack(kept)
        } else {
            sqlite3_finalize(statement)
        }
    }

    /// Steps to the next row. Returns false at the end.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for a row with a value that its column doesn't
    ///   allow.
    func step() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
            try checkColumns()
            return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code, connection)
        }
    }

    /// Runs a statement that returns no rows, and resets it for the next values.
    func run() throws {
        let code = sqlite3_step(statement)
        let end = sqlite3_reset(statement)
        guard code == SQLITE_DONE || code == SQLITE_ROW else {
            throw DatabaseError(code, connection)
        }
        guard end == SQLITE_OK else { throw DatabaseError(end, connection) }
    }

    /// Resets a reading statement for other values. The result code repeats that of the last step,
    /// which was thrown there.
    func reset() { sqlite3_reset(statement) }

    @inline(__always)
    private func checkColumns() throws {
        for index in columns.indices where !columns[index].allows(statement, Int32(index)) {
            throw damage(index)
        }
    }

    private func damage(_ index: Int) -> StoreError {
        let names = columns.indices.map { name in
            sqlite3_column_name(statement, Int32(name)).map { String(cString: $0) } ?? ""
        }
        let number = names.firstIndex { ["sequence", "id"].contains($0) }
            .map { sqlite3_column_int64(statement, Int32($0)) }
        return .damaged(names[index], of: sql, row: number)
    }

    private var sql: String { sqlite3_sql(statement).map { String(cString: $0) } ?? "" }
}

// MARK: - Parameters

extension StoreStatement {
    @inline(__always)
    func bind(_ value: Int64, to parameter: Parameter, row: Int32 = 0) throws {
        try check(sqlite3_bind_int64(statement, index(parameter, row), value), parameter)
    }

    @inline(__always)
    func bind(_ value: Int32, to parameter: Parameter, row: Int32 = 0) throws {
        try check(sqlite3_bind_int64(statement, index(parameter, row), Int64(value)), parameter)
    }

    @inline(__always)
    func bind(_ value: Double, to parameter: Parameter, row: Int32 = 0) throws {
        try check(sqlite3_bind_double(statement, index(parameter, row), value), parameter)
    }

    @inline(__always)
    func bindNull(to parameter: Parameter, row: Int32 = 0) throws {
        try check(sqlite3_bind_null(statement, index(parameter, row)), parameter)
    }

    /// Binds a number, or NULL for NaN. The engine uses NaN for "no value".
    @inline(__always)
    func bind(orNull value: Double, to parameter: Parameter, row: Int32 = 0) throws {
        if value.isNaN {
            try bindNull(to: parameter, row: row)
        } else {
            try bind(value, to: parameter, row: row)
        }
    }

    func bind(orNull value: Int64?, to parameter: Parameter) throws {
        if let value { try bind(value, to: parameter) } else { try bindNull(to: parameter) }
    }

    func bind(orNull text: String?, to parameter: Parameter) throws {
        if let text { try bind(text, to: parameter) } else { try bindNull(to: parameter) }
    }

    func bind(_ text: String, to parameter: Parameter) throws {
        var text = text
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text64(
                    statement, index(parameter), characters.baseAddress, UInt64(characters.count),
                    copied, UInt8(SQLITE_UTF8))
            }
        }
        try check(code, parameter)
    }

    /// Binds a UUID as its 16 bytes.
    func bind(_ uuid: SampleUUID, to parameter: Parameter) throws {
        let code = withUnsafeBytes(of: (uuid.high.bigEndian, uuid.low.bigEndian)) { bytes in
            sqlite3_bind_blob(statement, index(parameter), bytes.baseAddress, 16, copied)
        }
        try check(code, parameter)
    }

    func bind(_ bytes: [UInt8], to parameter: Parameter) throws {
        let code = bytes.withUnsafeBytes { bytes in
            sqlite3_bind_blob64(
                statement, index(parameter), bytes.baseAddress, UInt64(bytes.count), copied)
        }
        try check(code, parameter)
    }

    /// SQLite's SQLITE_TRANSIENT, which Swift doesn't import: SQLite copies the bytes.
    private var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    @inline(__always)
    private func index(_ parameter: Parameter, _ row: Int32 = 0) -> Int32 {
        row &* width &+ parameter.position &+ 1
    }

    @inline(__always)
    private func check(_ code: Int32, _ parameter: Parameter) throws {
        if code != SQLITE_OK { throw refusal(code, parameter.sql) }
    }

    @inline(never)
    private func refusal(_ code: Int32, _ column: String) -> StoreError {
        .refused(column, of: sql, code, String(cString: sqlite3_errstr(code)))
    }
}

// MARK: - Columns

extension StoreStatement {
    // Reading a number can't fail: ``step()`` has checked the types of declared columns.

    @inline(__always)
    func int(_ column: ResultColumn) -> Int64 { sqlite3_column_int64(statement, column.position) }

    @inline(__always)
    func double(_ column: ResultColumn) -> Double {
        sqlite3_column_double(statement, column.position)
    }

    @inline(__always)
    func isNull(_ column: ResultColumn) -> Bool {
        sqlite3_column_type(statement, column.position) == SQLITE_NULL
    }

    /// Returns the number in a column; NaN for NULL. SQLite reads NULL as 0, so only a 0 needs the
    /// second call.
    @inline(__always)
    func doubleOrNaN(_ column: ResultColumn) -> Double {
        let value = double(column)
        return value == 0 && isNull(column) ? .nan : value
    }

    func text(_ column: ResultColumn) throws -> String? {
        guard let bytes = sqlite3_column_text(statement, column.position) else {
            // SQLite also returns a null pointer if it is out of memory.
            if isNull(column) { return nil }
            throw unread(column)
        }
        let count = Int(sqlite3_column_bytes(statement, column.position))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Calls `body` with the bytes of a column, which are valid only during the call.
    func withBytes(_ column: ResultColumn, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try body(try bytes(column))
    }

    /// Returns the UUID in a column of 16 bytes; nil for any other length.
    func uuid(_ column: ResultColumn) throws -> SampleUUID? {
        let bytes = try bytes(column)
        guard bytes.count == 16 else { return nil }
        return SampleUUID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Returns the bytes of a column; empty for NULL and for an empty blob.
    @inline(__always)
    private func bytes(_ column: ResultColumn) throws -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, column.position)
        let count = Int(sqlite3_column_bytes(statement, column.position))
        if start == nil, count > 0 { throw unread(column) }
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    @inline(never)
    private func unread(_ column: ResultColumn) -> DatabaseError {
        let code = sqlite3_errcode(connection)
        return DatabaseError(code == SQLITE_OK ? SQLITE_NOMEM : code, connection)
    }
}

extension DatabaseError {
    fileprivate init(_ code: Int32, _ connection: OpaquePointer) {
        self.init(
            resultCode: ResultCode(rawValue: code),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}

extension StoreError {
    /// Returns the error for a value that SQLite rejects as too large or for lack of memory. It
    /// names the place, never the value.
    fileprivate static func refused(
        _ column: String, of sql: String, _ code: Int32, _ reason: String
    ) -> StoreError {
        StoreError(
            .valueRejected(at: place(of: column, in: sql), detail: reason, resultCode: code))
    }

    /// Returns the error for a statement whose text doesn't match its places: a programming error.
    fileprivate static func misnamed(_ sql: String) -> StoreError {
        StoreError(.invalidStatement(.mismatchedNames, sql: sql))
    }
}

import GRDB
import GRDBSQLite
import HealthEngine

/// One prepared statement on SQLite's C API: four to ten times faster than rows and arguments,
/// for the paths that touch every sample. Everything else goes through GRDB, see ``CheckedRow``.
///
/// ``step()`` hands out no row in which a column holds what its declaration doesn't, since SQLite
/// keeps any value in any column: text in place of a time would sort behind every time for ever.
struct RawStatement: ~Copyable {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    /// What may stand in each column, from the declarations of the tables.
    private let columns: [ColumnRule]

    init(_ db: Database, _ sql: String) throws {
        guard let connection = db.sqliteConnection else {
            throw StoreError(.failed, "The store has been closed.")
        }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw RawStatement.error(code, connection)
        }
        self.statement = statement
        self.connection = connection
        columns = (0..<sqlite3_column_count(statement)).map { ColumnRule(statement, $0) }
    }

    deinit { sqlite3_finalize(statement) }

    func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(statement, index, value) }
    func bind(_ value: Int32, at index: Int32) {
        sqlite3_bind_int64(statement, index, Int64(value))
    }
    func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(statement, index, value) }
    func bindNull(at index: Int32) { sqlite3_bind_null(statement, index) }

    /// NaN stands for "no value" in the engine and NULL in the file.
    func bind(orNull value: Double, at index: Int32) {
        if value.isNaN { bindNull(at: index) } else { bind(value, at: index) }
    }

    /// Text is the one value that may not fit.
    func bind(_ text: String, at index: Int32) throws {
        var text = text
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text64(
                    statement, index, characters.baseAddress, UInt64(characters.count),
                    unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
            }
        }
        guard code == SQLITE_OK else { throw RawStatement.error(code, connection) }
    }

    /// A UUID as its 16 bytes.
    func bind(_ uuid: SampleUUID, at index: Int32) {
        withUnsafeBytes(of: (uuid.high.bigEndian, uuid.low.bigEndian)) { bytes in
            _ = sqlite3_bind_blob(
                statement, index, bytes.baseAddress, 16,
                unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }

    /// Bytes that SQLite copies.
    func bind(_ bytes: [UInt8], at index: Int32) throws {
        let code = bytes.withUnsafeBytes { bytes in
            sqlite3_bind_blob64(
                statement, index, bytes.baseAddress, UInt64(bytes.count),
                unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
        guard code == SQLITE_OK else { throw RawStatement.error(code, connection) }
    }

    /// Moves to the next row; false at the end.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for a row with a value that doesn't belong there.
    func step() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
            try checkColumns()
            return true
        case SQLITE_DONE: return false
        case let code: throw RawStatement.error(code, connection)
        }
    }

    /// Runs a statement that returns no rows, and makes it ready for the next values.
    func run() throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE || code == SQLITE_ROW else {
            throw RawStatement.error(code, connection)
        }
    }

    func reset() { sqlite3_reset(statement) }

    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// NULL comes back as NaN. SQLite reads it as 0, so that only a 0 needs a second look.
    func doubleOrNaN(_ column: Int32) -> Double {
        let value = sqlite3_column_double(statement, column)
        return value == 0 && isNull(column) ? .nan : value
    }

    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The bytes of a column, as long as the statement stays on the row.
    func withBytes(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        let bytes = sqlite3_column_blob(statement, column)
        let count = bytes == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
        try body(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The UUID that 16 bytes are; nil for anything else.
    func uuid(_ column: Int32) -> SampleUUID? {
        guard let bytes = sqlite3_column_blob(statement, column),
            sqlite3_column_bytes(statement, column) == 16
        else { return nil }
        return SampleUUID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

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
        let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
        return .damaged(names[index], of: sql, row: number)
    }

    static func error(_ code: Int32, _ connection: OpaquePointer) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}

#if os(Linux)
    import CSQLiteSettings
    import GRDB
    import GRDBSQLite

    /// Records what a connection changes, as a changeset of SQLite's session extension.
    ///
    /// A changeset has the changed rows of all tables, but not those that every store derives from
    /// the others. Applied to a store in the state from before, it gives the same state, with the
    /// same sequence numbers and identifiers.
    final class ChangesetSession {
        /// The tables that a changeset leaves out: triggers derive the column segments and the log
        /// of edits, and what is known of the texts of exports.
        static let derivedTables: Set<String> = [
            "segment", "edit", "export_chunk", "export_chunk_run", "grdb_migrations",
        ]

        private let connection: OpaquePointer
        private let session: OpaquePointer

        /// Begins to record.
        ///
        /// - Throws: `DatabaseError`.
        init(_ db: Database) throws {
            let connection = try ChangesetSession.connection(db)
            var session: OpaquePointer?
            let code = sqlite3session_create(connection, "main", &session)
            guard code == SQLITE_OK, let session else {
                throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
            (self.connection, self.session) = (connection, session)
            sqlite3session_table_filter(session, { _, table in isRecorded(table) }, nil)
            try ChangesetSession.check(sqlite3session_attach(session, nil))
        }

        deinit { sqlite3session_delete(session) }

        /// Returns the changes so far.
        func change() throws -> RecordedChange {
            var count: Int32 = 0
            var bytes: UnsafeMutableRawPointer?
            let code = sqlite3session_changeset(session, &count, &bytes)
            defer { sqlite3_free(bytes) }
            try ChangesetSession.check(code)
            guard let bytes, count > 0 else { return RecordedChange(changeset: [], tables: []) }
            return RecordedChange(
                changeset: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))),
                tables: try ChangesetSession.tables(bytes, count))
        }

        private static func tables(
            _ bytes: UnsafeMutableRawPointer, _ count: Int32
        ) throws -> Set<String> {
            var iterator: OpaquePointer?
            try check(sqlite3changeset_start(&iterator, count, bytes))
            var tables: Set<String> = []
            var last: UnsafePointer<CChar>?
            while sqlite3changeset_next(iterator) == SQLITE_ROW {
                var (name, columns, operation, isIndirect) =
                    (UnsafePointer<CChar>?.none, Int32(), Int32(), Int32())
                sqlite3changeset_op(iterator, &name, &columns, &operation, &isIndirect)
                // Rows of a table follow each other, with one copy of its name.
                if let name, name != last { tables.insert(String(cString: name)) }
                last = name
            }
            try check(sqlite3changeset_finalize(iterator))
            return tables
        }

        /// Applies a changeset. Foreign keys must be off.
        ///
        /// - Returns: False if the store isn't in the state from before the changes. Then the
        ///   transaction must be rolled back.
        static func apply(_ changeset: [UInt8], _ db: Database) throws -> Bool {
            let connection = try connection(db)
            var bytes = changeset
            let code = bytes.withUnsafeMutableBytes { buffer in
                sqlite3changeset_apply(
                    connection, Int32(clamping: buffer.count), buffer.baseAddress,
                    { _, table in isRecorded(table) },
                    { _, _, _ in abortChangeset }, nil)
            }
            if code == SQLITE_ABORT { return false }
            try check(code)
            return true
        }

        private static func connection(_ db: Database) throws -> OpaquePointer {
            guard let connection = db.sqliteConnection else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE)
            }
            return connection
        }

        private static func check(_ code: Int32) throws {
            if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }

    /// The answer to a conflict: apply nothing. SQLITE_CHANGESET_ABORT of SQLite's header.
    private let abortChangeset: Int32 = 2

    /// The filter of tables, for C. 1 for a recorded table, otherwise 0.
    private func isRecorded(_ table: UnsafePointer<CChar>?) -> Int32 {
        guard let table else { return 0 }
        return ChangesetSession.derivedTables.contains(String(cString: table)) ? 0 : 1
    }
#endif

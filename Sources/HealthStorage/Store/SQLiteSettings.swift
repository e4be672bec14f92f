import CSQLiteSettings
import GRDBSQLite

/// Settings of SQLite that all connections of a process share.
package enum SQLiteSettings {
    /// Keeps the journal of each statement in memory, up to 16 MB.
    ///
    /// By default it moves to a temporary file at 64 KB and stays there until the transaction ends.
    /// Then each insertion of a sample, because of its triggers, writes several pages to that file.
    /// Call it before anything else uses SQLite, on one thread: SQLite's configuration isn't
    /// protected by a lock. So a library can't.
    ///
    /// - Returns: False if SQLite was in use already. Only the speed depends on it.
    @discardableResult
    package static func keepStatementJournalsInMemory() -> Bool {
        sqlite3_set_statement_journal_limit(16 << 20) == SQLITE_OK
    }
}

import CSQLiteSettings
import GRDBSQLite

/// Settings of SQLite that all connections of a process share.
package enum SQLiteSettings {
    /// Up to how many bytes the journal of a statement stays in memory.
    ///
    /// When a journal outgrows it, SQLite writes all of it to a file in one piece, but its Unix file
    /// layer writes at most 131,071 bytes at once (`nBuf &= 0x1ffff` in `os_unix.c`). A larger
    /// limit makes such a statement fail with the report that the disk is full.
    package static let statementJournalLimit: Int32 = 120 << 10

    /// Keeps the journal of each statement in memory, up to ``statementJournalLimit``.
    ///
    /// By default it moves to a temporary file at 64 KB and stays there until the transaction ends.
    /// Then each insertion of a sample, because of its triggers, writes several pages to that file.
    /// Call it before anything else uses SQLite, on one thread: SQLite's configuration isn't
    /// protected by a lock. So a library can't.
    ///
    /// - Returns: False if SQLite was in use already. Only the speed depends on it.
    @discardableResult
    package static func keepStatementJournalsInMemory() -> Bool {
        sqlite3_set_statement_journal_limit(statementJournalLimit) == SQLITE_OK
    }
}

import CSQLiteSettings
import GRDB

/// SQLite's defensive mode: no statement, of a foreign schema or ours, may write to the tables that
/// SQLite keeps for itself, edit the schema as text, or leave out the rollback journal.
enum DefensiveMode {
    /// Sets the mode of one connection.
    ///
    /// - Throws: ``StoreError`` of code `failed` for an SQLite before 3.26, which has no such mode.
    static func set(_ isOn: Bool, _ db: Database) throws {
        guard sqlite3_set_defensive(db.sqliteConnection, isOn ? 1 : 0) == SQLITE_OK else {
            throw StoreError(
                .failed, "SQLite \(sqliteVersion) has no defensive mode: 3.26 is needed.")
        }
    }

    static func isOn(_ db: Database) -> Bool { sqlite3_is_defensive(db.sqliteConnection) != 0 }

    private static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
}

import Foundation
import GRDB

/// A small SQLite file beside a store with the devices that may send data, the tokens of programs
/// that may read, and the addresses that are notified of changes.
///
/// ```swift
/// let directory = try AccessDirectory.open(besideStore: path)
/// let token = try directory.addDevice("iPhone", at: now)      // shown once, never stored
/// let device = try directory.device(forToken: text)           // nil: unknown or revoked
/// ```
/// It is a file of its own so that a copy of the store contains no credentials, and so that a
/// token can be checked while an import writes to the store. Of each secret it has only the
/// SHA-256, except of the keys that sign notices. Only the file's owner can read it. It contains no
/// health values. It can be used from any thread; its calls block, so they don't belong on the
/// cooperative thread pool.
package final class AccessDirectory: Sendable {
    /// The ending of the file's name, after the store's name without ".sqlite".
    package static let suffix = "devices.sqlite"
    /// "OHKd": SQLite's application ID of these files.
    static let applicationID: Int32 = 0x4F48_4B64

    /// The path of the file.
    package let path: String
    private let database: DatabaseQueue

    /// Returns the path of the file beside a store: "/x/health.devices.sqlite" for
    /// "/x/health.sqlite".
    package static func path(besideStore store: String) -> String {
        let ending = ".sqlite"
        return (store.hasSuffix(ending) ? String(store.dropLast(ending.count)) : store)
            + "." + suffix
    }

    /// Opens the file beside a store, or creates it.
    ///
    /// - Parameter store: The path of the store.
    /// - Returns: The directory.
    /// - Throws: ``StoreError`` if the file can't be created or opened, belongs to another program
    ///   or was written by a newer version.
    package static func open(besideStore store: String) throws -> AccessDirectory {
        let path = path(besideStore: store)
        try StoreFile.refuseDanglingLink(path)
        if !FileManager.default.fileExists(atPath: path) {
            try StoreFile.createFolder(of: path)
            do {
                try StoreFile.createFile(path: path)
            } catch let error as StoreError {
                // Another process can create it at the same time.
                guard FileManager.default.fileExists(atPath: path) else { throw error }
            }
        }
        return try AccessDirectory(path: path)
    }

    /// Opens the file beside a store; nil if there is none, and so no device and no token.
    ///
    /// - Parameter store: The path of the store.
    /// - Returns: The directory, or nil.
    /// - Throws: ``StoreError`` as for ``open(besideStore:)``.
    package static func openIfPresent(besideStore store: String) throws -> AccessDirectory? {
        let path = path(besideStore: store)
        return FileManager.default.fileExists(atPath: path) ? try AccessDirectory(path: path) : nil
    }

    private init(path: String) throws {
        self.path = path
        if let kind = FileKind(path).displayName {
            throw StoreError(.specialFile(at: path, kind: kind))
        }
        do {
            database = try DatabaseQueue(path: path, configuration: AccessDirectory.configuration)
            try AccessDirectory.prepare(database, path: path)
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON")
            try DefensiveMode.set(true, db)
        }
        return configuration
    }

    private static func prepare(_ database: DatabaseQueue, path: String) throws {
        let isReady = try database.read { db in
            let identifier = try Int32.readOne(db, sql: "PRAGMA application_id") ?? 0
            let tables = try Int.readOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard identifier == applicationID || (identifier == 0 && tables == 0) else {
                throw StoreError(.foreignDatabase(at: path))
            }
            guard tables > 0 else { return false }
            if try migrator.hasBeenSuperseded(db) {
                throw StoreError(.writtenByNewerVersion(at: path))
            }
            return try migrator.hasCompletedMigrations(db)
        }
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        }
        if !isReady { try migrator.migrate(database) }
    }

    /// Runs `body` in one read transaction.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try database.read(body) } catch { throw translated(error) }
    }

    /// Runs `body` in one write transaction. A power failure can undo it.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try database.write(body) } catch { throw translated(error) }
    }

    /// Runs `body` in one write transaction, which is on the disk afterwards: a revoked token stays
    /// revoked.
    func writeDurably<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }
                var value: Value?
                try db.inTransaction {
                    value = try body(db)
                    return .commit
                }
                guard let value else { throw StoreError.damaged(path) }
                return value
            }
        } catch { throw translated(error) }
    }

    private func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError: StoreError(error, path: path)
        // Its description contains values of the row.
        case is RowDecodingError: StoreError.damaged(path)
        default: error
        }
    }
}

// MARK: - Schema

extension AccessDirectory {
    /// The schema, as migrations. Times are in seconds since 2001-01-01 UTC.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(
                sql: """
                    CREATE TABLE device (
                        id INTEGER PRIMARY KEY,
                        name TEXT NOT NULL,
                        folded TEXT NOT NULL UNIQUE, -- the name without case, to compare
                        identifier TEXT NOT NULL UNIQUE, -- the public part of the token
                        digest BLOB NOT NULL, -- the SHA-256 of its secret part
                        created_at REAL NOT NULL,
                        revoked_at REAL);
                    CREATE TABLE contact ( -- the last request of a device in a format
                        device INTEGER NOT NULL REFERENCES device (id),
                        dialect TEXT NOT NULL,
                        requests INTEGER NOT NULL,
                        contacted_at REAL NOT NULL,
                        status INTEGER NOT NULL, -- HTTP status of the answer
                        outcome TEXT NOT NULL, -- counts of records as JSON, without values
                        last_sample_end REAL,
                        PRIMARY KEY (device, dialect)) WITHOUT ROWID;
                    CREATE TABLE read_token (
                        id INTEGER PRIMARY KEY,
                        name TEXT NOT NULL,
                        identifier TEXT NOT NULL UNIQUE,
                        digest BLOB NOT NULL,
                        types TEXT, -- identifiers of types as a JSON array; NULL for all
                        earliest REAL, -- NULL for no limit
                        aggregated_only INTEGER NOT NULL,
                        created_at REAL NOT NULL,
                        used_at REAL,
                        revoked_at REAL);
                    """)
        }
        migrator.registerMigration("2", migrate: createHooks)
        return migrator
    }
}

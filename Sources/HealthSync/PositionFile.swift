public import Foundation
import GRDB

/// Positions in a small file of their own, for handlers and plain destinations.
///
/// ```swift
/// let file = try PositionFile(at: folder.appending(path: "positions.sqlite"))
/// let watcher = Watcher(store: store, types: types, positions: file)
/// ```
/// It also remembers what ``Watcher/onNights(calendar:settling:of:named:_:)`` needs: which sample
/// spanned which time, and which nights are still to be told. No values are kept. Several processes may
/// share a file. Give it the data protection that lets it be written while the device is locked.
public final class PositionFile: Sendable {
    let database: DatabaseQueue

    /// Opens a file, which is made if there is none.
    ///
    /// - Throws: ``SyncError/foreignFile`` if it is something else's, ``SyncError/newerFile(version:)``
    ///   if a later version of this library wrote it; the file is left as it is. What SQLite throws if
    ///   the file can't be read or made.
    public init(at url: URL) throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        configuration.journalMode = .wal
        // Whatever a power cut takes is handed over again.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF")
        }
        do {
            try Self.check(url)
            database = try DatabaseQueue(
                path: url.path(percentEncoded: false), configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw SyncError.foreignFile
        }
        try Self.migrator.migrate(database)
    }

    /// Positions that last as long as the process, for tests.
    public init() throws {
        database = try DatabaseQueue()
        try Self.migrator.migrate(database)
    }
}

extension PositionFile: PositionStore {
    public func position(for key: PositionKey) async throws -> SyncPosition? {
        try await database.read { try Self.position(key, $0) }
    }

    public func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws {
        try await database.write {
            try Self.setPosition(position, for: key, expecting: expected, $0)
        }
    }

    public func removePositions(_ keys: Set<PositionKey>) async throws {
        try await database.write { db in
            for key in keys {
                try db.execute(
                    sql: "DELETE FROM position WHERE lane = ? AND type = ? AND filter = ?",
                    arguments: [key.lane, key.type, key.filter])
                try db.execute(
                    sql: "DELETE FROM span WHERE lane = ? AND type = ? AND filter = ?",
                    arguments: [key.lane, key.type, key.filter])
            }
        }
    }

    public func positionKeys() async throws -> Set<PositionKey> {
        try await database.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT lane, type, filter FROM position")
            return try Set(rows.map(PositionKey.init))
        }
    }
}

// MARK: - Rows

extension PositionFile {
    static func position(_ key: PositionKey, _ db: Database) throws -> SyncPosition? {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT anchor, before, caught_up FROM position "
                + "WHERE lane = ? AND type = ? AND filter = ?",
            arguments: [key.lane, key.type, key.filter])
        guard let row else { return nil }
        let before: Double? = try row.optional(1)
        let start = before.map { Date(timeIntervalSinceReferenceDate: $0) }
        return SyncPosition(
            anchor: try row.value(0), phase: start.map { .history(before: $0) } ?? .changes,
            caughtUp: Date(timeIntervalSinceReferenceDate: try row.value(2)))
    }

    static func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?,
        _ db: Database
    ) throws {
        guard try self.position(key, db) == expected else { throw SyncError.positionMoved }
        var before: Double?
        if case .history(let date) = position.phase { before = date.timeIntervalSinceReferenceDate }
        try db.execute(
            sql: "INSERT OR REPLACE INTO position (lane, type, filter, anchor, before, caught_up) "
                + "VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                key.lane, key.type, key.filter, position.anchor, before,
                position.caughtUp.timeIntervalSinceReferenceDate,
            ])
    }
}

// MARK: - Schema

extension PositionFile {
    /// "OHKp": SQLite's mark of whose file it is.
    static let applicationID = 0x4F48_4B70

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(
                sql: """
                    CREATE TABLE position (
                        lane TEXT NOT NULL, type TEXT NOT NULL, filter TEXT NOT NULL,
                        anchor BLOB NOT NULL,
                        before REAL, -- the history's end, seconds since 2001; NULL once it is read
                        caught_up REAL NOT NULL,
                        PRIMARY KEY (lane, type, filter)) WITHOUT ROWID;
                    CREATE TABLE span ( -- which time a sample spanned, for when it is deleted
                        lane TEXT NOT NULL, type TEXT NOT NULL, filter TEXT NOT NULL,
                        uuid BLOB NOT NULL, start REAL NOT NULL, "end" REAL NOT NULL,
                        PRIMARY KEY (lane, type, filter, uuid)) WITHOUT ROWID;
                    CREATE TABLE night ( -- touched and not yet told; a moment in its middle
                        lane TEXT NOT NULL, middle REAL NOT NULL, touched INTEGER NOT NULL,
                        PRIMARY KEY (lane, middle)) WITHOUT ROWID;
                    """)
        }
        return migrator
    }

    /// Refuses a file that isn't ours before anything is written to it.
    private static func check(_ url: URL) throws {
        let path = url.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return }
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        let database = try DatabaseQueue(path: path, configuration: configuration)
        try database.read { db in
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            let mark = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            guard tables == 0 || mark == applicationID else { throw SyncError.foreignFile }
            guard tables > 0, try migrator.hasBeenSuperseded(db) else { return }
            let latest = try String.fetchOne(
                db, sql: "SELECT max(identifier) FROM grdb_migrations")
            throw SyncError.newerFile(version: latest ?? "?")
        }
    }
}

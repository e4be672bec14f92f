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
///
/// A file that can't be gone on from is renamed, and a new one begun: see ``setAside``.
public final class PositionFile: Sendable {
    let database: DatabaseQueue
    /// The file that this one took the place of when it was opened; nil if it could be gone on from.
    ///
    /// Every reader without a position then begins anew as after a lost one: it is told to
    /// ``Watcher/onLostPosition(_:)``, stands in ``LaneStatus/lost``, and a mirror compares everything.
    public let setAside: SetAside?
    /// Whether positions were lost with a file that was set aside, at this opening or at one before
    /// which no reader got as far as a position.
    let hasLostPositions: Bool

    /// Opens a file, which is made if there is none.
    ///
    /// A file that is damaged, cut short, no database at all or a later version's is set aside under a
    /// name of its own, never deleted; of more than ``SetAside/most`` the last name is used again.
    ///
    /// - Throws: ``SyncError/foreignFile`` if it is another program's database, a folder or a device; the
    ///   file is left as it is. What SQLite or the file system reports if it can't be read, made or
    ///   renamed, as where permission is missing: nothing is begun anew then.
    public init(at url: URL) throws {
        let url = url.resolvingSymlinksInPath()
        var aside: SetAside?
        var attempts = 0
        while let damage = try Self.damage(of: url) {
            attempts += 1
            guard attempts <= 3 else { throw SyncError.busy }
            aside = try SetAside(moving: url, damage) ?? aside
        }
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        configuration.journalMode = .wal
        // Whatever a power cut takes is handed over again.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF")
        }
        database = try DatabaseQueue(
            path: url.path(percentEncoded: false), configuration: configuration)
        try Self.migrator.migrate(database)
        setAside = aside
        hasLostPositions = try database.write { [aside] db in
            try Self.noteLoss(isNew: aside != nil, db)
        }
    }

    /// Positions that last as long as the process, for tests.
    public init() throws {
        database = try DatabaseQueue()
        setAside = nil
        hasLostPositions = false
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
        do {
            let before: Double? = try row.optional(1)
            let start = before.map { Date(timeIntervalSinceReferenceDate: $0) }
            return SyncPosition(
                anchor: try row.value(0), phase: start.map { .history(before: $0) } ?? .changes,
                caughtUp: Date(timeIntervalSinceReferenceDate: try row.value(2)))
        } catch is MirrorError {
            // A damaged row is a position that no reader can go on from, as one without an anchor.
            return SyncPosition(anchor: Data(), phase: .changes, caughtUp: .distantPast)
        }
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
}

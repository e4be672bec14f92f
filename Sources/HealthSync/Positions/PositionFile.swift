public import Foundation
import GRDB

/// A small SQLite file that stores the positions of handlers and of destinations that are not
/// transactional.
///
/// ```swift
/// let file = try PositionFile(at: folder.appending(path: "positions.sqlite"))
/// let watcher = Watcher(store: store, types: types, positions: file)
/// ```
/// For ``Watcher/onNights(calendar:debounce:of:named:_:)`` the file also stores the time span of
/// each delivered sample and the nights not yet delivered. It contains no health values. Several
/// processes can share a file. Use a data protection class that permits writing while the device is
/// locked.
///
/// A file that is damaged or of a newer version is renamed and replaced; see ``quarantinedFile``.
public final class PositionFile: Sendable {
    let database: DatabaseQueue
    /// The unusable file that was renamed when this one was opened; nil if there was none.
    ///
    /// If a file was renamed, its positions are lost. A handler or other destination without a
    /// position in the new file then starts as after a lost position, even if it never had one.
    /// That calls the handler of ``Watcher/onLostPosition(_:)`` and sets ``SubscriberStatus/lost``.
    /// If no position was stored before the file is opened again, the same applies to that object,
    /// although this property is nil there.
    ///
    /// Night handlers start again without a report. A mirror is not affected, because it stores its
    /// own positions.
    public let quarantinedFile: QuarantinedFile?
    /// Whether, when this object was created, positions had been lost with a renamed file and none
    /// was stored in the new file. The value stays true after positions were stored through this
    /// object.
    let hasLostPositions: Bool

    /// Opens a position file, or creates it.
    ///
    /// A file that is damaged, truncated, no database or written by a newer version is renamed, and
    /// a new one is created. There are at most five renamed files; after that, the last one is
    /// overwritten.
    ///
    /// - Parameter url: The file. Symbolic links are resolved.
    /// - Throws: ``SyncError/foreignFile`` if the file is another program's database, or no regular
    ///   file, such as a folder or a device; the file is unchanged. ``SyncError/busy`` if the file
    ///   is unusable again after three replacements. Errors of SQLite or the file system if the
    ///   file cannot be read, renamed or created, for example without permission. A file that
    ///   cannot be read is not replaced.
    public init(at url: URL) throws {
        let url = url.resolvingSymlinksInPath()
        var quarantined: QuarantinedFile?
        var attempts = 0
        while let damage = try Self.damage(of: url) {
            attempts += 1
            guard attempts <= 3 else { throw SyncError.busy }
            quarantined = try QuarantinedFile(moving: url, damage) ?? quarantined
        }
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        configuration.journalMode = .wal
        // If a power failure undoes the storing of a position, its batch is delivered again.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF")
        }
        database = try DatabaseQueue(
            path: url.path(percentEncoded: false), configuration: configuration)
        try Self.migrator.migrate(database)
        quarantinedFile = quarantined
        hasLostPositions = try database.write { [quarantined] db in
            try Self.noteLoss(isNew: quarantined != nil, db)
        }
    }

    /// Creates an empty position store in memory, for tests and previews.
    ///
    /// - Throws: Errors of SQLite.
    public init() throws {
        database = try DatabaseQueue()
        quarantinedFile = nil
        hasLostPositions = false
        try Self.migrator.migrate(database)
    }
}

extension PositionFile: PositionStore {
    /// Returns the stored position of a subscriber in a type and filter.
    ///
    /// - Parameter key: The subscriber, type and filter.
    /// - Returns: The position; nil if none is stored. For a damaged row, a position with an empty
    ///   anchor and the distant past as its date, which a watcher reports as lost.
    /// - Throws: Errors of SQLite.
    public func position(for key: PositionKey) async throws -> SyncPosition? {
        try await database.read { try Self.position(key, $0) }
    }

    /// Stores a position, if the one stored for the key is as expected (compare and swap).
    ///
    /// - Parameters:
    ///   - position: The new position.
    ///   - key: The subscriber, type and filter.
    ///   - expected: The position that must be stored at present; nil for none.
    /// - Throws: ``SyncError/positionMoved`` if the stored position is not the expected one;
    ///   nothing is changed. Errors of SQLite.
    public func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws {
        try await database.write {
            try Self.setPosition(position, for: key, expecting: expected, $0)
        }
    }

    /// Removes stored positions, and the time spans that night handlers have stored for these keys.
    /// Nights that are not delivered yet stay.
    ///
    /// When a subscriber next reads the type and filter of a removed key, it starts as at its first
    /// run. If this file has replaced an unusable one, it may start as after a lost position
    /// instead; see ``quarantinedFile``.
    ///
    /// - Parameter keys: The keys; those without a position are ignored.
    /// - Throws: Errors of SQLite.
    public func removePositions(_ keys: Set<PositionKey>) async throws {
        try await database.write { db in
            for key in keys {
                try db.execute(
                    sql: "DELETE FROM position WHERE lane = ? AND type = ? AND filter = ?",
                    arguments: [key.subscriber, key.type, key.filter])
                try db.execute(
                    sql: "DELETE FROM span WHERE lane = ? AND type = ? AND filter = ?",
                    arguments: [key.subscriber, key.type, key.filter])
            }
        }
    }

    /// Returns all keys for which a position is stored.
    ///
    /// - Returns: The keys of all subscribers.
    /// - Throws: Errors of SQLite.
    public func positionKeys() async throws -> Set<PositionKey> {
        try await database.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(PositionKey.Column.columns) FROM position")
            return try Set(rows.map(PositionKey.init))
        }
    }
}

// MARK: - Rows

extension PositionFile {
    static func position(_ key: PositionKey, _ db: Database) throws -> SyncPosition? {
        let row = try Row.fetchOne(
            db,
            sql: "SELECT \(PositionColumn.columns) FROM position "
                + "WHERE lane = ? AND type = ? AND filter = ?",
            arguments: [key.subscriber, key.type, key.filter])
        guard let row else { return nil }
        do {
            let before: Double? = try row.optional(PositionColumn.before)
            let start = before.map { Date(timeIntervalSinceReferenceDate: $0) }
            return SyncPosition(
                anchor: try row.value(PositionColumn.anchor),
                phase: start.map { .history(before: $0) } ?? .changes,
                caughtUp: Date(
                    timeIntervalSinceReferenceDate: try row.value(PositionColumn.caughtUp)))
        } catch is MirrorError {
            // A damaged row is treated as a position without a valid anchor.
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
                key.subscriber, key.type, key.filter, position.anchor, before,
                position.caughtUp.timeIntervalSinceReferenceDate,
            ])
    }
}

// MARK: - Schema

extension PositionFile {
    /// "OHKp": SQLite's application ID of position files.
    static let applicationID = 0x4F48_4B70

    /// The schema, as migrations. Times are in seconds since 2001-01-01 UTC.
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

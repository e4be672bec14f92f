import Foundation
import GRDB

// Storing or removing positions alone does not increment the change counter. It counts only
// transactions that may change entries, attachments or pending writes.
extension Mirror: TransactionalDestination {
    /// Returns the stored position of a subscriber in a type and filter.
    ///
    /// - Parameter key: The subscriber, type and filter.
    /// - Returns: The position; nil if none is stored.
    /// - Throws: ``MirrorError``.
    public func position(for key: PositionKey) async throws -> SyncPosition? {
        try await read { db in try Mirror.position(for: key, db) }
    }

    /// Stores a position, if the one stored for the key is as expected (compare and swap).
    ///
    /// - Parameters:
    ///   - position: The new position.
    ///   - key: The subscriber, type and filter.
    ///   - expected: The position that must be stored at present; nil for none.
    /// - Throws: ``SyncError/positionMoved`` if the stored position is not the expected one;
    ///   nothing is changed. ``MirrorError``.
    public func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws {
        let probe = probe
        try await transaction(.normal) { db in
            try Mirror.move(key, from: expected, to: position, db)
            try probe.reached(.positionWritten)
        }
    }

    /// Removes stored positions. When a subscriber next reads the type and filter of a removed key,
    /// it starts as at its first run.
    ///
    /// If the mirror has entries of the type, a watcher to which it was added with
    /// ``Watcher/mirror(into:)`` also compares them.
    ///
    /// - Parameter keys: The keys; those without a position are ignored.
    /// - Throws: ``MirrorError``.
    public func removePositions(_ keys: Set<PositionKey>) async throws {
        try await transaction(.normal) { db in
            for key in keys {
                try db.cachedStatement(
                    sql: "DELETE FROM position WHERE lane = ? AND type = ? AND filter = ?"
                ).execute(arguments: [key.subscriber, key.type, key.filter])
            }
        }
    }

    /// Returns all keys for which a position is stored.
    ///
    /// - Returns: The keys of all subscribers.
    /// - Throws: ``MirrorError``.
    public func positionKeys() async throws -> Set<PositionKey> {
        try await read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(PositionKey.Column.columns) FROM position")
            return try Set(rows.map(PositionKey.init))
        }
    }

    static func position(for key: PositionKey, _ db: Database) throws -> SyncPosition? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(PositionColumn.columns) FROM position
                WHERE lane = ? AND type = ? AND filter = ?
                """)
        let row = try Row.fetchOne(statement, arguments: [key.subscriber, key.type, key.filter])
        return try row.map { row in
            let before: Double? = try row.optional(PositionColumn.before)
            return SyncPosition(
                anchor: try row.value(PositionColumn.anchor),
                phase: before.map {
                    .history(before: Date(timeIntervalSinceReferenceDate: $0))
                } ?? .changes,
                caughtUp: Date(
                    timeIntervalSinceReferenceDate: try row.value(PositionColumn.caughtUp)))
        }
    }

    /// Stores a position, and replaces the one stored before.
    ///
    /// - Throws: ``SyncError/positionMoved`` unless the stored position is `from`.
    static func move(
        _ key: PositionKey, from: SyncPosition?, to position: SyncPosition, _ db: Database
    ) throws {
        guard try Mirror.position(for: key, db) == from else { throw SyncError.positionMoved }
        let before: Double? =
            switch position.phase {
            case .history(let before): before.timeIntervalSinceReferenceDate
            case .changes: nil
            }
        try db.cachedStatement(
            sql: """
                INSERT INTO position (lane, type, filter, anchor, before, caught_up)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET anchor = excluded.anchor, before = excluded.before,
                    caught_up = excluded.caught_up
                """
        ).execute(arguments: [
            key.subscriber, key.type, key.filter, position.anchor, before,
            position.caughtUp.timeIntervalSinceReferenceDate,
        ])
    }
}

/// The columns of a stored position other than those of its key (``PositionKey/Column``), in
/// mirrors and in position files.
enum PositionColumn: Int, RowColumn { case anchor, before, caughtUp }

import Foundation
import GRDB

// Positions move in transactions that leave the change counter alone: they change no entry.
extension Mirror: TransactionalDestination {
    public func position(for key: PositionKey) async throws -> SyncPosition? {
        try await read { db in try Mirror.position(for: key, db) }
    }

    public func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws {
        let probe = probe
        try await transaction(.readAgain) { db in
            try Mirror.move(key, from: expected, to: position, db)
            try probe.reached(.positionWritten)
        }
    }

    public func removePositions(_ keys: Set<PositionKey>) async throws {
        try await transaction(.readAgain) { db in
            for key in keys {
                try db.cachedStatement(
                    sql: "DELETE FROM position WHERE lane = ? AND type = ? AND filter = ?"
                ).execute(arguments: [key.lane, key.type, key.filter])
            }
        }
    }

    public func positionKeys() async throws -> Set<PositionKey> {
        try await read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT lane, type, filter FROM position")
            return try Set(rows.map(PositionKey.init))
        }
    }

    static func position(for key: PositionKey, _ db: Database) throws -> SyncPosition? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT anchor, before, caught_up FROM position
                WHERE lane = ? AND type = ? AND filter = ?
                """)
        let row = try Row.fetchOne(statement, arguments: [key.lane, key.type, key.filter])
        return try row.map { row in
            let before: Double? = try row.optional(1)
            return SyncPosition(
                anchor: try row.value(0),
                phase: before.map {
                    .history(before: Date(timeIntervalSinceReferenceDate: $0))
                } ?? .changes,
                caughtUp: Date(timeIntervalSinceReferenceDate: try row.value(2)))
        }
    }

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
            key.lane, key.type, key.filter, position.anchor, before,
            position.caughtUp.timeIntervalSinceReferenceDate,
        ])
    }
}

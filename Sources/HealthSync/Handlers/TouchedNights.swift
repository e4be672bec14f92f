import Foundation
import GRDB

/// A destination that stores the nights of added and deleted samples as changed, in one transaction
/// with the position. ``NightDebouncer`` delivers these nights to the handler.
///
/// The time spans of added samples are stored too, until the samples are deleted, since a deletion
/// has no dates.
struct TouchedNights: TransactionalDestination {
    let subscriber: String
    let file: PositionFile
    let calendar: Calendar
    let now: @Sendable () -> Date
    let touched: @Sendable () async -> Void

    func receive(_ batch: ChangeBatch) async throws {
        let now = now()
        let added = batch.added.map { ($0.uuid, $0.startDate, $0.endDate) }
        let deleted = batch.deleted.map(\.uuid)
        try await file.database.write { db in
            guard try PositionFile.position(batch.key, db) == batch.from else {
                throw SyncError.positionMoved
            }
            for (uuid, start, end) in added {
                try touch(from: start, to: end, now, db)
                try remember(uuid, start, end, batch.key, db)
            }
            for uuid in deleted { try forget(uuid, batch.key, now, db) }
            try PositionFile.setPosition(batch.to, for: batch.key, expecting: batch.from, db)
        }
        await touched()
    }

    func position(for key: PositionKey) async throws -> SyncPosition? {
        try await file.position(for: key)
    }

    func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws {
        try await file.setPosition(position, for: key, expecting: expected)
    }

    func removePositions(_ keys: Set<PositionKey>) async throws {
        try await file.removePositions(keys)
    }

    func positionKeys() async throws -> Set<PositionKey> { try await file.positionKeys() }
}

// MARK: - Spans

extension TouchedNights {
    /// Marks the nights of a span as changed. An end in the distant future is replaced by `now`, or
    /// by the start if that is later.
    private func touch(from start: Date, to end: Date, _ now: Date, _ db: Database) throws {
        let end = end >= .distantFuture ? max(start, now) : end
        for night in Night.overlapping(from: start, to: end, in: calendar) {
            try db.execute(
                sql: "INSERT INTO night (lane, middle, touched) VALUES (?, ?, 1) "
                    + "ON CONFLICT (lane, middle) DO UPDATE SET touched = touched + 1",
                arguments: [subscriber, night.middle.timeIntervalSinceReferenceDate])
        }
    }

    private func remember(
        _ uuid: UUID, _ start: Date, _ end: Date, _ key: PositionKey, _ db: Database
    ) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO span (lane, type, filter, uuid, start, \"end\") "
                + "VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                subscriber, key.type, key.filter, uuid, start.timeIntervalSinceReferenceDate,
                end.timeIntervalSinceReferenceDate,
            ])
    }

    private enum SpanColumn: Int, RowColumn {
        case start, end

        var sql: String { self == .end ? "\"end\"" : name }
    }

    private func forget(_ uuid: UUID, _ key: PositionKey, _ now: Date, _ db: Database) throws {
        let condition = "WHERE lane = ? AND type = ? AND filter = ? AND uuid = ?"
        let arguments: StatementArguments = [subscriber, key.type, key.filter, uuid]
        let row = try Row.fetchOne(
            db, sql: "SELECT \(SpanColumn.columns) FROM span " + condition, arguments: arguments)
        // Without a stored span, the sample was not delivered since the first run or the last
        // removal of the position. Its nights are then not known.
        guard let row else { return }
        try touch(
            from: Date(timeIntervalSinceReferenceDate: row.value(SpanColumn.start)),
            to: Date(timeIntervalSinceReferenceDate: row.value(SpanColumn.end)), now, db)
        try db.execute(sql: "DELETE FROM span " + condition, arguments: arguments)
    }
}

// MARK: - Pending nights

extension TouchedNights {
    /// A changed night that is not delivered yet: its middle in seconds since 2001-01-01 UTC, and
    /// how many samples of it were added or deleted since its last delivery.
    struct PendingNight: Sendable {
        fileprivate enum Column: Int, RowColumn { case middle, touched }

        let middle: Double
        let touched: Int
    }

    func due() async throws -> [PendingNight] {
        try await file.database.read { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT \(PendingNight.Column.columns) FROM night WHERE lane = ? ORDER BY middle",
                arguments: [subscriber]
            ).map {
                PendingNight(
                    middle: try $0.value(PendingNight.Column.middle),
                    touched: try $0.value(PendingNight.Column.touched))
            }
        }
    }

    /// Removes nights that were delivered, unless their number of changes differs from the one that
    /// ``due()`` returned, because they have changed again.
    func markDelivered(_ due: [PendingNight]) async throws {
        try await file.database.write { db in
            for night in due {
                try db.execute(
                    sql: "DELETE FROM night WHERE lane = ? AND middle = ? AND touched = ?",
                    arguments: [subscriber, night.middle, night.touched])
            }
        }
    }
}

import Foundation
import GRDB
import HealthEngine

/// Makes one sample of each pair of twins, inside a transaction (Semantics §15.2, §15.3).
///
/// ```
/// export first   the exported row takes the UUID and a new number; its derived UUID gets a
///                tombstone. What was received is kept for an undo of the import
/// phone first    the received row stays as it is, and the exported row is dropped. A workout or
///                correlation takes the exported content, which has more
/// deleted        the exported row is dropped: a deletion that HealthKit reported is final
/// no UUID        a received row whose UUID is derived moves to `removed`: the exported row has more.
///                So does a point in an hour of which an export has samples
/// ```
final class TwinResolution {
    /// What a resolution has done, for the report of an import.
    struct Outcome {
        /// The numbers of new rows of the import that were dropped, by type.
        var dropped: [Int32: Int] = [:]
        /// The number of them whose sample HealthKit has deleted.
        var deleted = 0
    }

    private let db: Database
    private let candidates: TwinCandidates
    private let twins: TwinTable
    private let findRow: StoreStatement<SingleField, StoredRow.Column>
    /// Rows with greater sequence numbers belong to the import that is under way; nil for none.
    private let importing: (mark: Int64, importID: Int64)?
    private let nextSequence: () -> Int64
    private(set) var outcome = Outcome()

    /// - Parameters:
    ///   - db: The connection, in a transaction.
    ///   - importing: The last sequence number before the import under way, and its id; nil outside
    ///     of imports.
    ///   - nextSequence: Returns the next sequence number.
    init(
        _ db: Database, importing: (mark: Int64, importID: Int64)?,
        nextSequence: @escaping () -> Int64
    ) throws {
        self.db = db
        self.importing = importing
        self.nextSequence = nextSequence
        candidates = try TwinCandidates(db)
        twins = TwinTable(db)
        findRow = try StoreStatement(
            kept: db,
            "SELECT \(StoredRow.Column.columns) FROM sample WHERE sequence = \(SingleField.value)")
    }

    /// Resolves the twins of a type and source whose received samples start in a window.
    func resolve(_ window: TwinCandidates.Window) throws {
        var window = window
        let received = try candidates.received(window)
        let deleted = try candidates.deleted(window)
        if received.isEmpty, deleted.isEmpty { return }
        window.from -= 1
        window.to += 1
        let exported = try candidates.exported(window)
        if exported.isEmpty { return }
        let pairs = TwinMatching.pairs(received, exported)
        var isTaken = Set<Int>()
        for pair in pairs {
            isTaken.insert(pair.exported)
            try unite(received[pair.received], exported[pair.exported], window.type)
        }
        if deleted.isEmpty { return }
        let untaken = exported.indices.filter { !isTaken.contains($0) }.map { exported[$0] }
        for pair in TwinMatching.pairs(deleted, untaken) {
            try drop(untaken[pair.exported], ofDeleted: deleted[pair.received], window.type)
        }
    }

    /// Removes points in whose hours exports have samples (Semantics §15.8). An export says nothing
    /// about points after its date.
    func resolvePoints(_ window: TwinCandidates.Window) throws {
        let points = try candidates.received(window)
            .filter { $0.uuid.map(IntakeUUID.isPoint) ?? false }
        if points.isEmpty { return }
        let exportDate = try IntakeLookup.lastExportDate(db)
        var hours: [Double: TwinCandidate] = [:]
        for sample in try candidates.exported(window) {
            let hour = (sample.start / 3600).rounded(.down)
            if let first = hours[hour], first.sequence < sample.sequence { continue }
            hours[hour] = sample
        }
        for point in points where point.start < exportDate {
            guard let exported = hours[(point.start / 3600).rounded(.down)] else { continue }
            try replace(point, byExported: exported.sequence)
        }
    }

    /// Removes workouts without a stable identifier that exports contain, whatever their source
    /// (Semantics §15.9).
    func resolveWorkouts() throws {
        let received = try TwinCandidates.workoutsWithoutIdentifier(db)
        if received.isEmpty { return }
        let exported = try TwinCandidates.exportedWorkouts(after: importing?.mark ?? 0, db)
        for workout in received {
            let twin = exported.first { other in
                Workout.isSameActivity(other.activity, workout.activity)
                    && abs(other.start - workout.start) <= 2
                    && abs(other.end - workout.end) <= 2
            }
            if let twin { try replace(workout, byExported: twin.sequence) }
        }
    }

    /// Removes a sample without HealthKit's UUID that an exported row takes the place of. An undo of
    /// the import under way restores it from `removed`; otherwise a twin keeps it for the undo.
    private func replace(_ received: TwinCandidate, byExported exported: Int64) throws {
        if importing == nil, let uuid = received.uuid, let row = try row(received.sequence),
            let importID = try twins.importID(ofRow: exported)
        {
            try twins.insert(
                uuid, exported: exported, importID: importID,
                received: TwinTable.Received(
                    start: row.start, end: row.end, created: row.created, origin: row.origin,
                    metadata: row.metadata, value: row.value, detail: row.detail))
        }
        try remove(received.sequence)
    }

    private func unite(
        _ received: TwinCandidate, _ exported: TwinCandidate, _ type: Int32
    ) throws {
        guard let uuid = received.uuid else { return }
        let isNew = isNew(exported)
        if IntakeUUID.isDerived(uuid) {
            return try remove(received.sequence)
        }
        let importID = isNew ? importing?.importID : try twins.importID(ofRow: exported.sequence)
        guard let importID else { return }
        let kind = Catalogue.type(code: type)?.kind
        let hasMore = kind == .workout || kind == .correlation
        if isNew && !hasMore {
            try twins.insert(
                uuid, exported: exported.sequence, importID: importID, received: nil)
            try transferMemberships(from: exported.sequence, to: received.sequence)
            try dropNew(exported.sequence, type)
        } else {
            try takeOver(received.sequence, uuid, exported.sequence, importID)
            if isNew { try dropNew(exported.sequence, type) }
        }
    }

    private func isNew(_ exported: TwinCandidate) -> Bool {
        importing.map { exported.sequence > $0.mark } ?? false
    }

    // MARK: - Export first

    /// Gives the received row the exported content and a new sequence number. The exported row is
    /// deleted, with a tombstone unless it was never visible.
    private func takeOver(
        _ received: Int64, _ uuid: SampleUUID, _ exported: Int64, _ importID: Int64
    ) throws {
        guard let old = try row(received), let new = try row(exported) else { return }
        let kept = TwinTable.Received(
            start: old.start, end: old.end, created: old.created, origin: old.origin,
            metadata: old.metadata, value: old.value, detail: old.detail)
        try twins.insert(uuid, exported: exported, importID: importID, received: kept)
        try transferMemberships(from: exported, to: received)
        if importing.map({ exported <= $0.mark }) ?? true {
            try db.cachedStatement(
                sql: """
                    INSERT INTO tombstone (sequence, type, start_time, key, end_time, origin,
                        metadata)
                    SELECT ?, type, start_time, key, end_time, origin, metadata FROM sample
                    WHERE sequence = ?
                    """
            ).execute(arguments: [nextSequence(), exported])
            try db.cachedStatement(sql: "DELETE FROM sample WHERE sequence = ?")
                .execute(arguments: [exported])
        }
        let next = nextSequence()
        try TwinResolution.replaceContent(of: received, with: new, as: next, db)
        try RouteTwins(db).resolve(inWorkout: next)
    }

    /// Replaces the content of a row with that of another one; its UUID and key stay.
    static func replaceContent(
        of sequence: Int64, with row: StoredRow, as next: Int64, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE sample SET sequence = ?, start_time = ?, end_time = ?, created = ?,
                    origin = ?, metadata = ?, value = ? WHERE sequence = ?
                """
        ).execute(arguments: [
            next, row.start, row.end, row.created.isNaN ? nil : row.created, row.origin,
            row.metadata == 0 ? nil : row.metadata, row.value.isNaN ? nil : row.value, sequence,
        ])
        try db.cachedStatement(sql: "DELETE FROM detail WHERE sequence = ?")
            .execute(arguments: [next])
        if let detail = row.detail {
            try db.cachedStatement(sql: "INSERT INTO detail (sequence, content) VALUES (?, ?)")
                .execute(arguments: [next, detail])
        }
    }

    // MARK: - Dropping rows

    /// Deletes a row of the import under way, which nobody has seen yet.
    private func dropNew(_ sequence: Int64, _ type: Int32) throws {
        try db.cachedStatement(sql: "DELETE FROM sample WHERE sequence = ?")
            .execute(arguments: [sequence])
        outcome.dropped[type, default: 0] += 1
    }

    private func drop(
        _ exported: TwinCandidate, ofDeleted deleted: TwinCandidate, _ type: Int32
    ) throws {
        guard let uuid = deleted.uuid else { return }
        if isNew(exported), let importing {
            try twins.insert(
                uuid, exported: exported.sequence, importID: importing.importID, received: nil)
            try dropNew(exported.sequence, type)
            outcome.deleted += 1
            return
        }
        guard let importID = try twins.importID(ofRow: exported.sequence) else { return }
        try twins.insert(uuid, exported: exported.sequence, importID: importID, received: nil)
        try remove(exported.sequence)
    }

    private func remove(_ sequence: Int64) throws {
        try TwinResolution.move(
            sequence, toRemovedBy: importing?.importID, reason: "replaced",
            tombstone: nextSequence(), db)
    }

    /// Moves a row to `removed`, with a tombstone.
    ///
    /// - Parameters:
    ///   - sequence: The row.
    ///   - importID: The import that removes it; nil for none.
    ///   - reason: A value of `removed.reason`.
    ///   - next: The sequence number of the tombstone.
    static func move(
        _ sequence: Int64, toRemovedBy importID: Int64?, reason: String, tombstone next: Int64,
        _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO removed (import, reason, removed_sequence, sequence, type, start_time,
                    key, end_time, created, origin, metadata, value, uuid, detail, members)
                SELECT ?, ?, ?, sample.sequence, type, start_time, key, end_time, created, origin,
                    metadata, value, uuid, detail.content,
                    (SELECT json_group_array(child) FROM membership
                     WHERE parent = sample.sequence)
                FROM sample LEFT JOIN detail ON detail.sequence = sample.sequence
                WHERE sample.sequence = ?
                """
        ).execute(arguments: [importID, reason, next, sequence])
        try db.cachedStatement(
            sql: """
                INSERT INTO tombstone (sequence, type, start_time, key, end_time, origin, metadata,
                    uuid)
                SELECT ?, type, start_time, key, end_time, origin, metadata, uuid FROM sample
                WHERE sequence = ?
                """
        ).execute(arguments: [next, sequence])
        try db.cachedStatement(sql: "DELETE FROM sample WHERE sequence = ?")
            .execute(arguments: [sequence])
    }

    /// Statements that give the row ?2 the memberships of the row ?1.
    static let membershipTransfer = [
        "INSERT OR IGNORE INTO membership (parent, child) "
            + "SELECT parent, ?2 FROM membership WHERE child = ?1 AND parent <> ?2",
        "INSERT OR IGNORE INTO membership (parent, child) "
            + "SELECT ?2, child FROM membership WHERE parent = ?1 AND child <> ?2",
    ]

    private func transferMemberships(from old: Int64, to new: Int64) throws {
        for sql in TwinResolution.membershipTransfer {
            try db.cachedStatement(sql: sql).execute(arguments: [old, new])
        }
    }

    private func row(_ sequence: Int64) throws -> StoredRow? {
        try findRow.bind(sequence, to: .value)
        defer { findRow.reset() }
        guard try findRow.step() else { return nil }
        var row = StoredRow(findRow)
        row.detail = try String.readOne(
            db.cachedStatement(sql: "SELECT content FROM detail WHERE sequence = ?"),
            arguments: [sequence])
        return row
    }
}

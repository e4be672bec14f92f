import GRDB
import HealthEngine

/// The last phase of an import: decisions that need the whole file.
///
/// Decisions are recorded in temporary tables and applied at the end. Samples stored before this
/// import aren't changed before.
/// ```
/// contested  identities that may have more than one row, or changed content   (from streaming)
/// link       parent, child: the memberships in this file
/// stand_in   sequence, other: the row that replaces a row in memberships, or NULL.
///            A new row with an entry is dropped
/// gone       sequence, reason, replacement: stored rows that move to `removed`
/// member     `link` with each row replaced by the one that stands in for it
/// affected   stored correlations and workouts whose members changed
/// ```
final class IdentityResolution {
    let writer: SnapshotWriter
    let db: Database
    let mark: Int64
    /// Stored rows that changed or that a higher version replaces. They don't count as vanished.
    private var replaced: SequenceSet
    private let insertRemoval: StoreStatement<RemovalColumn, NoFields>
    private let insertStandIn: StoreStatement<StandInColumn, NoFields>
    private let insertLink: StoreStatement<Membership, NoFields>
    private let updateKey: StoreStatement<KeyParameter, NoFields>
    private let findMetadata: StoreStatement<SingleField, SingleField>
    private var typeNames: [Int32: String] = [:]
    private var sourceNames: [Int64: String] = [:]
    /// The number of equal records beyond the first of each group, by type and source.
    var equalRecords: [EqualRecordsKey: Int] = [:]

    private enum RemovalColumn: Int32, StatementField { case sequence, reason, replacement }
    private enum StandInColumn: Int32, StatementField { case sequence, other }
    private enum KeyParameter: Int32, StatementField { case origin, key, sequence }
    private enum AddedColumn: Int32, StatementField { case sequence, type }

    struct EqualRecordsKey: Hashable {
        var type: Int32
        var source: Int64
    }

    var originCache: OriginCache { writer.originCache }

    init(_ writer: SnapshotWriter) throws {
        self.writer = writer
        db = writer.db
        mark = writer.mark
        replaced = SequenceSet(upTo: writer.mark)
        try db.execute(sql: IdentityResolution.temporaryTables)
        insertRemoval = try StoreStatement(
            db, "INSERT OR IGNORE INTO temp.gone \(RemovalColumn.inserted)")
        insertStandIn = try StoreStatement(
            db, "INSERT OR REPLACE INTO temp.stand_in \(StandInColumn.inserted)")
        insertLink = try StoreStatement(
            db, "INSERT OR IGNORE INTO temp.link \(Membership.inserted)")
        updateKey = try StoreStatement(
            db,
            "UPDATE sample SET origin = \(KeyParameter.origin), key = \(KeyParameter.key) "
                + "WHERE sequence = \(KeyParameter.sequence)")
        findMetadata = try StoreStatement(
            db, "SELECT entries FROM metadata WHERE id = \(SingleField.value)")
    }

    private static let temporaryTables = """
        CREATE TEMP TABLE link (
            parent INTEGER, child INTEGER, PRIMARY KEY (parent, child)) WITHOUT ROWID;
        CREATE TEMP TABLE stand_in (sequence INTEGER PRIMARY KEY, other INTEGER);
        CREATE TEMP TABLE gone (
            sequence INTEGER PRIMARY KEY, reason TEXT, replacement INTEGER);
        CREATE TEMP TABLE member (
            parent INTEGER, child INTEGER, PRIMARY KEY (parent, child)) WITHOUT ROWID;
        CREATE TEMP TABLE affected (parent INTEGER PRIMARY KEY, is_linked INTEGER);
        """

    func dropTemporaryTables() throws {
        try db.execute(
            sql: """
                DROP TABLE temp.link; DROP TABLE temp.stand_in; DROP TABLE temp.gone;
                DROP TABLE temp.member; DROP TABLE temp.affected;
                """)
    }

    /// Makes all decisions and applies them.
    func run() throws {
        writer.endCursor()
        if !writer.isFirst { try resolveRenamedSources() }
        try resolveNested()
        if try !writer.endArrivals() { try collectEqualIdentities() }
        try resolveGroups()
        try resolveVersions()
        if !writer.isFirst, writer.outcome.kind != .snapshot { try keepRemovedRows() }
        if !writer.isFirst, writer.outcome.kind == .snapshot { try noteVanished() }
        try writer.stopIfCancelled()
        try storeRemovedRows()
        try writer.stopIfCancelled()
        try resolveMemberships()
        try writer.stopIfCancelled()
        try deleteRows()
        try writer.stopIfCancelled()
        try reportEqualRecords()
    }

    // MARK: - Recording decisions

    enum Removal: String { case vanished, changed, replaced }

    /// Records that a stored row moves to `removed`. `replacement` is the sequence number of its
    /// new state if it changed, otherwise that of its tombstone.
    func note(_ reason: Removal, _ sequence: Int64, replacement: Int64) throws {
        if reason != .vanished { replaced.insert(sequence) }
        try insertRemoval.bind(sequence, to: .sequence)
        try insertRemoval.bind(reason.rawValue, to: .reason)
        try insertRemoval.bind(replacement, to: .replacement)
        try insertRemoval.run()
    }

    /// Records the row that stands in for the row `sequence` in memberships; nil for none. If the
    /// row `sequence` is of this import, it is deleted at the end.
    func note(standIn other: Int64?, for sequence: Int64) throws {
        try insertStandIn.bind(sequence, to: .sequence)
        try insertStandIn.bind(orNull: other, to: .other)
        try insertStandIn.run()
    }

    func note(member child: Int64, of parent: Int64) throws {
        try insertLink.bind(parent, to: .parent)
        try insertLink.bind(child, to: .child)
        try insertLink.run()
    }

    func set(origin: Int64, key: Int64, of sequence: Int64) throws {
        try updateKey.bind(origin, to: .origin)
        try updateKey.bind(key, to: .key)
        try updateKey.bind(sequence, to: .sequence)
        try updateKey.run()
    }

    // MARK: - Names

    func name(ofType code: Int32) throws -> String {
        if let name = typeNames[code] { return name }
        let name = try String.readOne(
            db, sql: "SELECT identifier FROM type WHERE code = ?", arguments: [code])
        typeNames[code] = name ?? ""
        return name ?? ""
    }

    func name(ofSource id: Int64) throws -> String {
        if let name = sourceNames[id] { return name }
        let name = try String.readOne(
            db, sql: "SELECT name FROM source WHERE id = ?", arguments: [id])
        sourceNames[id] = name ?? ""
        return name ?? ""
    }

    func metadataText(_ id: Int64) throws -> String {
        if id == 0 { return "" }
        try findMetadata.bind(id, to: .value)
        defer { findMetadata.reset() }
        return try findMetadata.step() ? findMetadata.text(.value) ?? "" : ""
    }

    private func reportEqualRecords() throws {
        writer.outcome.equalRecords = try equalRecords.map { key, count in
            .init(
                type: try name(ofType: key.type), source: try name(ofSource: key.source),
                count: count)
        }.sorted { ($0.type, $0.source) < ($1.type, $1.source) }
    }

    // MARK: - Removed rows

    private enum GapParameter: Int32, StatementField { case first, last }

    /// Marks the imported rows that a complete, latest export no longer contains. Each leaves a
    /// tombstone.
    private func noteVanished() throws {
        let rows = try StoreStatement<GapParameter, SingleField>(
            db,
            "SELECT sequence FROM sample WHERE sequence BETWEEN \(GapParameter.first) "
                + "AND \(GapParameter.last) AND uuid IS NULL ORDER BY sequence")
        try writer.seen.forEachGap(in: 1...max(mark, 1)) { gap in
            try rows.bind(gap.lowerBound, to: .first)
            try rows.bind(gap.upperBound, to: .last)
            defer { rows.reset() }
            while try rows.step() {
                try writer.checkCancellation()
                let sequence = rows.int(.value)
                if replaced.contains(sequence) { continue }
                writer.next += 1
                try note(.vanished, sequence, replacement: writer.next)
                writer.outcome.vanished += 1
            }
        }
    }

    /// Drops new rows with the identity of a removed sample. Only a snapshot restores removed
    /// samples. Tombstones that an undo left don't count.
    private func keepRemovedRows() throws {
        let rows = try StoreStatement<SingleField, AddedColumn>(
            db,
            """
            SELECT \(AddedColumn.columns) FROM sample
            WHERE sequence > \(SingleField.value) AND EXISTS (
                SELECT 1 FROM tombstone t WHERE t.type = sample.type
                AND t.start_time = sample.start_time AND t.key = sample.key AND t.uuid IS NULL
                AND NOT EXISTS (
                    SELECT 1 FROM store WHERE key GLOB 'undone.*'
                    AND t.sequence BETWEEN CAST(substr(key, 8) AS INTEGER) AND value))
            AND NOT EXISTS (SELECT 1 FROM temp.stand_in WHERE stand_in.sequence = sample.sequence)
            """)
        try rows.bind(mark, to: .value)
        while try rows.step() {
            try writer.checkCancellation()
            let type = Int32(truncatingIfNeeded: rows.int(.type))
            let kind = writer.kind(type)
            writer.outcome[kind].new -= 1
            writer.outcome[kind].unchanged += 1
            writer.outcome.notApplied += 1
            writer.typeCounts[type, default: 0] -= 1
            try note(standIn: nil, for: rows.int(.sequence))
        }
    }

    /// Copies the rows of `gone` to `removed`, with their members from before this import. Rows
    /// that vanished or were replaced by a higher version leave a tombstone.
    private func storeRemovedRows() throws {
        if writer.isFirst { return }
        try db.execute(
            sql: """
                INSERT INTO removed (import, reason, removed_sequence, sequence, type, start_time,
                    key, end_time, created, origin, metadata, value, uuid, detail, members)
                SELECT ?, gone.reason, gone.replacement, sample.sequence, type, start_time, key,
                    end_time, created, origin, metadata, value, uuid, detail.content,
                    (SELECT json_group_array(child) FROM membership
                     WHERE parent = sample.sequence)
                FROM temp.gone CROSS JOIN sample ON sample.sequence = gone.sequence
                LEFT JOIN detail ON detail.sequence = sample.sequence
                ORDER BY gone.sequence
                """, arguments: [writer.importID])
        writer.trace.memberships = try CheckedRow.readAll(
            db,
            sql: """
                SELECT membership.parent, membership.child
                FROM temp.gone CROSS JOIN membership ON membership.child = gone.sequence
                JOIN sample ON sample.sequence = membership.parent
                WHERE gone.reason <> 'changed' AND sample.uuid IS NOT NULL
                """
        ).map { ImportTrace.RemovedMembership(parent: try $0["parent"], child: try $0["child"]) }
        try db.execute(
            sql: """
                INSERT INTO tombstone (sequence, type, start_time, key, end_time, origin, metadata)
                SELECT gone.replacement, type, start_time, key, end_time, origin, metadata
                FROM temp.gone CROSS JOIN sample ON sample.sequence = gone.sequence
                WHERE gone.reason <> 'changed' ORDER BY gone.sequence
                """)
    }

    /// Deletes the rows of `gone`, and the rows of this import that have an entry in `stand_in`.
    private func deleteRows() throws {
        try db.execute(
            sql: "DELETE FROM sample WHERE sequence IN (SELECT sequence FROM temp.gone)")
        try db.execute(
            sql: "DELETE FROM sample WHERE sequence IN "
                + "(SELECT sequence FROM temp.stand_in WHERE sequence > ?)", arguments: [mark])
    }
}

import GRDB
import HealthEngine

/// The end of an import: what could not be decided before the whole file was known.
///
/// Nothing old is touched while it decides; it only notes, in temporary tables that SQLite keeps out
/// of memory, and then carries everything out by one statement each:
/// ```
/// contested  places with more than one row, or another one than before   (from streaming)
/// link       parent, child: what belongs together by this file
/// stand_in   sequence, other: the row that says the same; NULL where nothing does.
///            A new row with a stand-in is dropped
/// gone       sequence, reason, replacement: old rows that move to `removed`
/// member     link with the stand-ins put in
/// affected   old correlations and workouts whose members are others now
/// ```
final class IdentitySettlement {
    let writer: SnapshotWriter
    let db: Database
    let mark: Int64
    /// Old rows that a new version replaces.
    private var replaced: SequenceSet
    private let insertGone: RawStatement
    private let insertStandIn: RawStatement
    private let insertLink: RawStatement
    private let updateKey: RawStatement
    private let findMetadata: RawStatement
    private var typeNames: [Int32: String] = [:]
    private var sourceNames: [Int64: String] = [:]
    /// Equal records that each count, by type and source.
    var equals: [EqualsPlace: Int] = [:]

    struct EqualsPlace: Hashable {
        var type: Int32
        var source: Int64
    }

    var facts: OriginFacts { writer.facts }

    init(_ writer: SnapshotWriter) throws {
        self.writer = writer
        db = writer.db
        mark = writer.mark
        replaced = SequenceSet(upTo: writer.mark)
        try db.execute(sql: IdentitySettlement.temporaryTables)
        insertGone = try RawStatement(
            db, "INSERT OR IGNORE INTO temp.gone (sequence, reason, replacement) VALUES (?, ?, ?)")
        insertStandIn = try RawStatement(
            db, "INSERT OR REPLACE INTO temp.stand_in (sequence, other) VALUES (?, ?)")
        insertLink = try RawStatement(
            db, "INSERT OR IGNORE INTO temp.link (parent, child) VALUES (?, ?)")
        updateKey = try RawStatement(
            db, "UPDATE sample SET origin = ?, key = ? WHERE sequence = ?")
        findMetadata = try RawStatement(db, "SELECT entries FROM metadata WHERE id = ?")
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

    /// Decides, and carries out what was decided.
    func run() throws {
        writer.endWalk()
        if !writer.isFirst { try settleRenamedSources() }
        try settleNested()
        if try !writer.endSieve() { try collectEqualIdentities() }
        try settleGroups()
        try settleVersions()
        if !writer.isFirst, writer.outcome.kind != .snapshot { try leaveRemovedAlone() }
        if !writer.isFirst, writer.outcome.kind == .snapshot { try noteVanished() }
        try writer.stopIfCancelled()
        try moveGoneToRemoved()
        try writer.stopIfCancelled()
        try settleMemberships()
        try writer.stopIfCancelled()
        try deleteRows()
        try writer.stopIfCancelled()
        try nameEquals()
    }

    // MARK: - Notes

    enum Removal: String { case vanished, changed, replaced }

    /// Notes that an old row moves to `removed`; `replacement` is the number of the change.
    func note(_ reason: Removal, _ sequence: Int64, replacement: Int64) throws {
        if reason != .vanished { replaced.insert(sequence) }
        insertGone.bind(sequence, at: 1)
        try insertGone.bind(reason.rawValue, at: 2)
        insertGone.bind(replacement, at: 3)
        try insertGone.run()
    }

    /// Notes which row speaks for another in this file's memberships, if any. A new row that another
    /// one, or none, speaks for is dropped.
    func note(standIn other: Int64?, for sequence: Int64) throws {
        insertStandIn.bind(sequence, at: 1)
        if let other { insertStandIn.bind(other, at: 2) } else { insertStandIn.bindNull(at: 2) }
        try insertStandIn.run()
    }

    func note(member child: Int64, of parent: Int64) throws {
        insertLink.bind(parent, at: 1)
        insertLink.bind(child, at: 2)
        try insertLink.run()
    }

    func set(origin: Int64, key: Int64, of sequence: Int64) throws {
        updateKey.bind(origin, at: 1)
        updateKey.bind(key, at: 2)
        updateKey.bind(sequence, at: 3)
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
        findMetadata.bind(id, at: 1)
        defer { findMetadata.reset() }
        return try findMetadata.step() ? findMetadata.text(0) ?? "" : ""
    }

    private func nameEquals() throws {
        writer.outcome.equals = try equals.map { place, count in
            .init(
                type: try name(ofType: place.type), source: try name(ofSource: place.source),
                count: count)
        }.sorted { ($0.type, $0.source) < ($1.type, $1.source) }
    }

    // MARK: - Rows that go

    /// What a newer complete export no longer holds is gone; a tombstone says so to watchers.
    private func noteVanished() throws {
        if try writer.seen.count == importedRows() { return }
        let rows = try RawStatement(
            db,
            "SELECT sequence FROM sample WHERE sequence <= ? AND uuid IS NULL ORDER BY sequence")
        rows.bind(mark, at: 1)
        while try rows.step() {
            try writer.pulse()
            let sequence = rows.int(0)
            if writer.seen.contains(sequence) || replaced.contains(sequence) { continue }
            writer.next += 1
            try note(.vanished, sequence, replacement: writer.next)
            writer.outcome.vanished += 1
        }
    }

    /// How many imported rows there are, counted along indexes.
    private func importedRows() throws -> Int {
        try Int.readOne(
            db,
            sql: "SELECT (SELECT count(*) FROM sample) "
                + "- (SELECT count(*) FROM sample WHERE uuid IS NOT NULL)") ?? 0
    }

    /// An addition revives nothing: new rows under the identity of something removed are dropped.
    private func leaveRemovedAlone() throws {
        let rows = try RawStatement(
            db,
            """
            SELECT sequence, type FROM sample WHERE sequence > ? AND EXISTS (
                SELECT 1 FROM tombstone t WHERE t.type = sample.type
                AND t.start_time = sample.start_time AND t.key = sample.key AND t.uuid IS NULL
                AND NOT EXISTS (
                    SELECT 1 FROM store WHERE key GLOB 'undone.*'
                    AND t.sequence BETWEEN CAST(substr(key, 8) AS INTEGER) AND value))
            AND NOT EXISTS (SELECT 1 FROM temp.stand_in WHERE stand_in.sequence = sample.sequence)
            """)
        rows.bind(mark, at: 1)
        while try rows.step() {
            try writer.pulse()
            let type = Int32(truncatingIfNeeded: rows.int(1))
            let kind = writer.kind(type)
            writer.outcome[kind].new -= 1
            writer.outcome[kind].unchanged += 1
            writer.outcome.notApplied += 1
            writer.typeCounts[type, default: 0] -= 1
            try note(standIn: nil, for: rows.int(0))
        }
    }

    /// Copies rows that go whole to `removed`, with the members they had before this import, and
    /// leaves tombstones of those that nothing replaces.
    private func moveGoneToRemoved() throws {
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
        writer.trace.ties = try CheckedRow.readAll(
            db,
            sql: """
                SELECT membership.parent, membership.child
                FROM temp.gone CROSS JOIN membership ON membership.child = gone.sequence
                JOIN sample ON sample.sequence = membership.parent
                WHERE gone.reason <> 'changed' AND sample.uuid IS NOT NULL
                """
        ).map { ImportTrace.Tie(parent: try $0[0], child: try $0[1]) }
        try db.execute(
            sql: """
                INSERT INTO tombstone (sequence, type, start_time, key, end_time, origin, metadata)
                SELECT gone.replacement, type, start_time, key, end_time, origin, metadata
                FROM temp.gone CROSS JOIN sample ON sample.sequence = gone.sequence
                WHERE gone.reason <> 'changed' ORDER BY gone.sequence
                """)
    }

    /// Takes rows that go, and new rows that say what another already says, out of `sample`.
    private func deleteRows() throws {
        try db.execute(
            sql: "DELETE FROM sample WHERE sequence IN (SELECT sequence FROM temp.gone)")
        try db.execute(
            sql: "DELETE FROM sample WHERE sequence IN "
                + "(SELECT sequence FROM temp.stand_in WHERE sequence > ?)", arguments: [mark])
    }
}

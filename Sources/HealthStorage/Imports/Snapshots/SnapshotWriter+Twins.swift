import GRDB
import HealthEngine

extension SnapshotWriter {
    /// Makes one sample of each record of this file and the sample that a device sent of it
    /// (Semantics §15). The file's new rows that are dropped count as unchanged.
    func resolveTwins() throws {
        guard try Int.readOne(db, sql: "SELECT 1 FROM intake_route LIMIT 1") != nil else { return }
        try db.execute(sql: "CREATE TEMP TABLE seen_twin (uuid BLOB PRIMARY KEY) WITHOUT ROWID")
        defer { try? db.execute(sql: "DROP TABLE temp.seen_twin") }
        try dropKnownTwins()
        _ = try SourceUnification(db).run()
        let resolution = try TwinResolution(db, importing: (mark, importID)) { [self] in
            next += 1
            return next
        }
        let sources = try Int64.readAll(
            db,
            sql: "SELECT DISTINCT source FROM origin WHERE route IS NOT NULL AND source IS NOT NULL"
        )
        let windows = try TwinCandidates.windows(ofSources: sources, db)
        for window in windows {
            try stopIfCancelled()
            try resolution.resolve(window)
        }
        try dropKnownSummaries()
        try dropTakenOver()
        // Only what is left of the file takes the place of what devices sent.
        for window in windows { try resolution.resolvePoints(window) }
        try resolution.resolveWorkouts()
        for (type, count) in resolution.outcome.dropped { countUnchanged(count, type) }
        outcome.notApplied += resolution.outcome.deleted
        if outcome.kind == .snapshot { try removeVanished() }
    }

    private enum Column: Int32, StatementField {
        case sequence, type, uuid

        var sql: String {
            switch self {
            case .sequence: "sample.sequence"
            case .type: "sample.type"
            case .uuid: "twin.uuid"
            }
        }
    }

    /// Drops new rows whose twin an earlier import has found. If the twin was deleted on the phone,
    /// the record isn't applied.
    private func dropKnownTwins() throws {
        let rows = try StoreStatement<SingleField, Column>(
            db,
            """
            SELECT \(Column.columns) FROM twin CROSS JOIN sample ON sample.type = twin.type
                AND sample.start_time = twin.start_time AND sample.key = twin.key
            WHERE sample.sequence > \(SingleField.value) AND sample.uuid IS NULL
                AND NOT \(TwinTable.isDerived)
            """)
        try rows.bind(mark, to: .value)
        var known: [(sequence: Int64, type: Int32, uuid: SampleUUID)] = []
        while try rows.step() {
            try checkCancellation()
            guard let uuid = try rows.uuid(.uuid) else { continue }
            known.append(
                (rows.int(.sequence), Int32(truncatingIfNeeded: rows.int(.type)), uuid))
        }
        try noteSeen(known.map(\.uuid))
        for row in known {
            let stored = try Int64.readOne(
                db.cachedStatement(sql: "SELECT sequence FROM sample WHERE uuid = ?"),
                arguments: [row.uuid.blob])
            if let stored {
                for sql in TwinResolution.membershipTransfer {
                    try db.cachedStatement(sql: sql).execute(arguments: [row.sequence, stored])
                }
            } else {
                outcome.notApplied += 1
            }
            try db.cachedStatement(sql: "DELETE FROM sample WHERE sequence = ?")
                .execute(arguments: [row.sequence])
            countUnchanged(1, row.type)
        }
    }

    /// Drops new rows that a complete run of a device has removed after this file was exported
    /// (Semantics §15.6). A later export that has the sample brings it back.
    private func dropTakenOver() throws {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT DISTINCT sample.sequence, sample.type FROM removed
                CROSS JOIN sample ON sample.type = removed.type
                    AND sample.start_time = removed.start_time AND sample.key = removed.key
                WHERE \(TakenOver.condition("removed")) AND sample.uuid IS NULL
                    AND sample.sequence > ?1
                    AND (SELECT received_at FROM receipt
                         WHERE id = \(TakenOver.receipt(of: "removed")))
                        >= ifnull((SELECT export_date FROM import WHERE id = ?2), -1e12)
                """, arguments: [mark, importID])
        for row in rows {
            try db.cachedStatement(sql: "DELETE FROM sample WHERE sequence = ?")
                .execute(arguments: [try row["sequence"] as Int64])
            countUnchanged(1, try row["type"])
            outcome.notApplied += 1
        }
    }

    /// Drops new activity summaries of days of which a device has sent the same or, after this file
    /// was exported, another one.
    private func dropKnownSummaries() throws {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT sample.sequence, sample.type, sample.start_time, content FROM sample
                JOIN detail ON detail.sequence = sample.sequence
                WHERE sample.type = ?2 AND sample.sequence > ?1 AND uuid IS NULL
                    AND NOT EXISTS (
                        SELECT 1 FROM removed WHERE removed.type = sample.type
                            AND removed.start_time = sample.start_time
                            AND removed_sequence = sample.sequence)
                """, arguments: [mark, Catalogue.type(named: "activitySummary")?.code])
        let exportDate = try Double.readOne(
            db, sql: "SELECT export_date FROM import WHERE id = ?", arguments: [importID])
        let lookup = try IntakeLookup(db)
        for row in rows {
            let uuid = IntakeUUID.day(startingAt: try row["start_time"])
            let content: String = try row["content"]
            guard let received = try lookup.row(uuid),
                case .activitySummary(let sent)? = try received.detail.map(StoredText.detail(from:)),
                case .activitySummary(let exported) = try StoredText.detail(from: content)
            else { continue }
            let isLater = exportDate.map { received.created > $0 } ?? false
            guard isLater || sent.agrees(with: exported) else { continue }
            try db.cachedStatement(sql: "DELETE FROM sample WHERE sequence = ?")
                .execute(arguments: [try row["sequence"] as Int64])
            countUnchanged(1, try row["type"])
        }
    }

    private func noteSeen(_ uuids: [SampleUUID]) throws {
        for uuid in uuids {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO temp.seen_twin (uuid) VALUES (?)")
                .execute(arguments: [uuid.blob])
        }
    }

    // MARK: - Samples that the phone no longer has

    /// Removes samples with UUIDs that this export no longer contains, and whose route reports no
    /// deletions (Semantics §15.6).
    ///
    /// Only samples that arrived before the export, and only if the export contains at least 99 % of
    /// the samples of their type and source: otherwise the export and the phone differ for another
    /// reason.
    private func removeVanished() throws {
        let exportDate = try Double.readOne(
            db, sql: "SELECT export_date FROM import WHERE id = ?", arguments: [importID])
        guard let exportDate else { return }
        try db.execute(
            sql: "INSERT OR IGNORE INTO temp.seen_twin SELECT uuid FROM twin WHERE import = ?",
            arguments: [importID])
        let groups = try CheckedRow.readAll(
            db,
            sql: """
                SELECT type, source, count(*) AS count,
                    sum(EXISTS (SELECT 1 FROM temp.seen_twin WHERE seen_twin.uuid = held.uuid))
                        AS matched
                FROM (\(SnapshotWriter.heldSamples)) held GROUP BY type, source
                """, arguments: [exportDate])
        for group in groups {
            let (count, matched): (Int, Int) = (try group["count"], try group["matched"])
            guard matched < count, matched * 100 >= count * 99 else { continue }
            let vanished = try Int64.readAll(
                db,
                sql: """
                    SELECT sequence FROM (\(SnapshotWriter.heldSamples)) held
                    WHERE type = ?2 AND source = ?3
                        AND NOT EXISTS (SELECT 1 FROM temp.seen_twin
                                        WHERE seen_twin.uuid = held.uuid)
                    ORDER BY sequence
                    """,
                arguments: [exportDate, try group["type"] as Int32, try group["source"] as Int64])
            for sequence in vanished { try removeVanished(sequence) }
        }
    }

    /// A query for the samples that have HealthKit's UUID, came on a route that reports no
    /// deletions, and arrived before ?1. What has derived UUIDs begins with 8 in its third group.
    private static let heldSamples = """
        SELECT sample.sequence, sample.uuid, sample.type, origin.source
        FROM sample JOIN origin ON origin.id = sample.origin
        LEFT JOIN twin ON twin.uuid = sample.uuid
        JOIN origin sent ON sent.id = ifnull(json_extract(twin.received, '$.origin'), origin.id)
        JOIN intake_route ON intake_route.id = sent.route
        WHERE sample.uuid IS NOT NULL AND substr(hex(sample.uuid), 13, 1) <> '8'
            AND intake_route.dialect IN (\(IntakeRoute.dialectsWithoutDeletions))
            AND sample.start_time < ?1
            AND (SELECT received_at FROM receipt
                 WHERE first_sequence BETWEEN 1 AND sample.sequence
                 ORDER BY first_sequence DESC LIMIT 1) < ?1
        """

    private func removeVanished(_ sequence: Int64) throws {
        next += 1
        try TwinResolution.move(
            sequence, toRemovedBy: importID, reason: "vanished", tombstone: next, db)
        outcome.vanished += 1
    }

    private func countUnchanged(_ count: Int, _ type: Int32) {
        outcome[kind(type)].new -= count
        outcome[kind(type)].unchanged += count
    }
}

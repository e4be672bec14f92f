import GRDB

extension ImportUndo {
    /// The number of the import's rows that devices have removed.
    func takenOverRows() throws -> Int {
        try Int.readOne(
            db,
            sql: "SELECT count(*) FROM \(ImportTrace.rows(of: "removed", in: "?")) "
                + "WHERE \(TakenOver.removedByDevice("row"))", arguments: [spans]) ?? 0
    }

    /// Forgets that devices have removed rows of the import.
    ///
    /// Of a row that the import had changed, the device has removed the earlier state too: that one
    /// takes its place. Other tombstones count as those of the undo, so that a later import may
    /// restore the samples.
    func forgetTakenOverRows() throws {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT row.id, row.reason, row.removed_sequence, former.id AS former
                FROM \(ImportTrace.rows(of: "removed", in: "?1"))
                LEFT JOIN removed former ON former.removed_sequence = row.sequence
                    AND former.import = ?2 AND former.reason = 'changed'
                    AND former.id > ?3 AND former.id <= ?4
                WHERE \(TakenOver.removedByDevice("row")) ORDER BY row.removed_sequence
                """,
            arguments: [spans, number, trace.removedAfter, trace.removedThrough])
        for row in rows {
            let tombstone: Int64 = try row["removed_sequence"]
            if let former: Int64 = try row["former"] {
                try takeOver(former, reason: try row["reason"], tombstone: tombstone)
            } else {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO store (key, value) VALUES (?, ?)",
                    arguments: ["undone.\(tombstone)", tombstone])
            }
            try db.execute(
                sql: "DELETE FROM removed WHERE id = ?", arguments: [try row["id"] as Int64])
        }
    }

    /// Notes a row that the import had changed as one that a device has removed.
    private func takeOver(_ id: Int64, reason: String, tombstone: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO removed (import, reason, removed_sequence, sequence, type, start_time,
                    key, end_time, created, origin, metadata, value, uuid, detail, members)
                SELECT NULL, ?, ?, sequence, type, start_time, key, end_time, created,
                    origin, metadata, value, uuid, detail, members
                FROM removed WHERE id = ?
                """, arguments: [reason, tombstone, id])
        try db.execute(sql: "DELETE FROM removed WHERE id = ?", arguments: [id])
    }
}

import GRDB

/// Restores rows of `removed`, inside a transaction, under new sequence numbers and with their
/// memberships.
///
/// ```
/// undone_row  a row of removed by its number then, its replacement if any, its new number, its id
/// undone_tie  memberships of restored rows
/// ```
/// The caller fills `undone_row`, in order of the earlier numbers.
struct RowRestoration {
    let db: Database

    init(_ db: Database) { self.db = db }

    /// Creates the temporary tables.
    func begin() throws {
        try db.execute(
            sql: """
                CREATE TEMP TABLE undone_row (
                    old INTEGER PRIMARY KEY, replaced INTEGER UNIQUE, sequence INTEGER, id INTEGER);
                CREATE TEMP TABLE undone_tie (
                    parent INTEGER, child INTEGER, PRIMARY KEY (parent, child)) WITHOUT ROWID;
                """)
    }

    /// Drops the temporary tables.
    func end() throws {
        try db.execute(sql: "DROP TABLE temp.undone_row; DROP TABLE temp.undone_tie;")
    }

    /// Collects the memberships of restored rows from before their removal, and those that programs
    /// have added to changed rows.
    ///
    /// - Parameter others: Memberships of removed rows in samples that stayed.
    func collectMemberships(_ others: [ImportTrace.RemovedMembership]) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.undone_tie (parent, child)
                SELECT u.sequence, ifnull(
                    (SELECT c.sequence FROM temp.undone_row c WHERE c.old = m.value),
                    ifnull((SELECT c.sequence FROM temp.undone_row c WHERE c.replaced = m.value),
                        m.value))
                FROM temp.undone_row u CROSS JOIN removed r ON r.id = u.id
                CROSS JOIN json_each(r.members) m;

                INSERT OR IGNORE INTO temp.undone_tie (parent, child)
                SELECT m.parent, u.sequence
                FROM temp.undone_row u CROSS JOIN membership m ON m.child = u.replaced;

                INSERT OR IGNORE INTO temp.undone_tie (parent, child)
                SELECT u.sequence, m.child
                FROM temp.undone_row u CROSS JOIN membership m ON m.parent = u.replaced
                CROSS JOIN sample s ON s.sequence = m.child WHERE s.uuid IS NOT NULL;
                """)
        for membership in others {
            try db.execute(
                sql: "INSERT OR IGNORE INTO temp.undone_tie (parent, child) "
                    + "SELECT ?, sequence FROM temp.undone_row WHERE old = ?",
                arguments: [membership.parent, membership.child])
        }
    }

    /// Inserts the rows, their details and their memberships.
    func restoreRows() throws {
        try db.execute(
            sql: """
                INSERT INTO sample (sequence, type, start_time, key, end_time, created, origin,
                    metadata, value, uuid)
                SELECT u.sequence, type, start_time, key, end_time, created, origin, metadata, value,
                    uuid
                FROM temp.undone_row u CROSS JOIN removed r ON r.id = u.id ORDER BY u.sequence;
                INSERT INTO detail (sequence, content)
                SELECT u.sequence, r.detail
                FROM temp.undone_row u CROSS JOIN removed r ON r.id = u.id
                WHERE r.detail IS NOT NULL ORDER BY u.sequence;
                INSERT OR IGNORE INTO membership (parent, child)
                SELECT parent, child FROM temp.undone_tie t
                WHERE EXISTS (SELECT 1 FROM sample WHERE sequence = t.parent)
                    AND EXISTS (SELECT 1 FROM sample WHERE sequence = t.child);
                """)
    }

    /// Updates the sequence numbers of restored rows in the records of imports.
    func renumber() throws {
        try db.execute(
            sql: """
                UPDATE removed SET removed_sequence =
                    (SELECT u.sequence FROM temp.undone_row u WHERE u.old = removed_sequence)
                WHERE removed_sequence IN (SELECT old FROM temp.undone_row);
                UPDATE removed SET members = (
                    SELECT json_group_array(ifnull(u.sequence, m.value))
                    FROM json_each(removed.members) m
                    LEFT JOIN temp.undone_row u ON u.old = m.value)
                WHERE EXISTS (SELECT 1 FROM json_each(removed.members) m
                              JOIN temp.undone_row u ON u.old = m.value);
                """)
        let imports = try CheckedRow.readAll(
            db, sql: "SELECT id, first_sequence, last_sequence, previous FROM import")
        for row in imports {
            guard var trace = ImportTrace(try row["previous"]) else { continue }
            // Rows keep their order, so the rows of a range form a range again.
            let renumbered = try CheckedRow.readAll(
                db,
                sql: """
                    SELECT min(u.sequence) AS first, max(u.sequence) AS last
                    FROM json_each(?) span CROSS JOIN temp.undone_row u
                        ON u.old BETWEEN span.value ->> 0 AND span.value ->> 1
                    GROUP BY span.key
                    """,
                arguments: [
                    try trace.spans(from: try row["first_sequence"], to: try row["last_sequence"])
                ])
            if renumbered.isEmpty { continue }
            trace.moved =
                (trace.moved ?? [])
                + (try renumbered.map { row in
                    [try row["first"], try row["last"]]
                })
            try db.execute(
                sql: "UPDATE import SET previous = ? WHERE id = ?",
                arguments: [try trace.text, try row["id"] as Int64])
        }
    }

    /// Makes one sample of each restored exported row and its twin.
    ///
    /// - Parameter last: The last sequence number assigned.
    /// - Returns: The last sequence number assigned now.
    func resolveTwins(after last: Int64) throws -> Int64 {
        var last = last
        guard try Int.readOne(db, sql: "SELECT 1 FROM intake_route LIMIT 1") != nil else {
            return last
        }
        let resolution = try TwinResolution(db, importing: nil) {
            last += 1
            return last
        }
        let sources = try Int64.readAll(
            db,
            sql: "SELECT DISTINCT source FROM origin WHERE route IS NOT NULL AND source IS NOT NULL"
        )
        for window in try TwinCandidates.windows(ofSources: sources, db) {
            try resolution.resolve(window)
            try resolution.resolvePoints(window)
        }
        try resolution.resolveWorkouts()
        return last
    }
}

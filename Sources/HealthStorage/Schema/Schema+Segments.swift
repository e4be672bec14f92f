extension Schema {
    /// Version 4: column segments, and the log that invalidates them and cached results.
    ///
    /// A segment covers the samples of its type from its first one to (`until_time`, `until_key`)
    /// (exclusive). Triggers drop the segment that covers a sample that any program inserts,
    /// updates or deletes, so existing segments match the samples. The newest edits stay in `edit`
    /// with ascending ids. A cache that stores the last id can read what changed since then. A gap
    /// in the ids means that edits are missing.
    static let segments = """
        DROP TABLE segment;
        CREATE TABLE segment (
            id INTEGER PRIMARY KEY,
            type INTEGER NOT NULL,
            start_time REAL NOT NULL,
            key INTEGER NOT NULL,
            until_time REAL NOT NULL,
            until_key INTEGER NOT NULL,
            count INTEGER NOT NULL,
            content BLOB NOT NULL
        );
        CREATE UNIQUE INDEX segment_order ON segment
            (type, start_time, key, until_time, until_key, count);

        CREATE TABLE edit (
            id INTEGER PRIMARY KEY,
            type INTEGER NOT NULL,
            start_time REAL NOT NULL,
            end_time REAL NOT NULL
        );
        \(editTriggers)
        """

    /// Drops the segments that end at the start of the next sample. Earlier versions left out the
    /// creation dates in them, which decide which of the two samples is more recent.
    static let dropSegmentsWithUnknownOrder = """
        DELETE FROM segment WHERE EXISTS (
            SELECT 1 FROM sample
            WHERE sample.type = segment.type AND sample.start_time = segment.until_time
                AND sample.key < segment.until_key
                AND (sample.start_time, sample.key) >= (segment.start_time, segment.key));
        """

    /// The maximum number of edits in the log.
    static let maximumEdits = 1024

    /// The triggers that drop segments and log edits. Separate, so that a first import can create
    /// them after loading.
    static let editTriggers = """
        CREATE TRIGGER sample_inserted AFTER INSERT ON sample BEGIN
            \(note("NEW"))
        END;
        CREATE TRIGGER sample_deleted AFTER DELETE ON sample BEGIN
            \(note("OLD"))
        END;
        CREATE TRIGGER sample_updated
        AFTER UPDATE OF type, start_time, key, end_time, created, origin, value ON sample BEGIN
            \(note("OLD"))
            \(note("NEW"))
        END;
        """

    static let dropEditTriggers = """
        DROP TRIGGER sample_inserted; DROP TRIGGER sample_deleted; DROP TRIGGER sample_updated;
        """

    private static func note(_ row: String) -> String {
        """
        DELETE FROM segment WHERE id = (
                SELECT id FROM segment
                WHERE type = \(row).type AND (start_time, key) <= (\(row).start_time, \(row).key)
                ORDER BY start_time DESC, key DESC LIMIT 1)
                AND (until_time, until_key) > (\(row).start_time, \(row).key);
            INSERT INTO edit (type, start_time, end_time)
                VALUES (\(row).type, \(row).start_time, \(row).end_time);
            DELETE FROM edit WHERE id <= last_insert_rowid() - \(maximumEdits);
        """
    }
}

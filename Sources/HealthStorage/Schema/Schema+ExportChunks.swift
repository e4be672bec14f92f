extension Schema {
    /// The most records of a chunk, and therefore the longest run of its rows.
    static let maximumChunkRecords = 512

    /// Version 7: the chunks of the latest export, which a later import of the same text needn't
    /// read again.
    ///
    /// Triggers delete a chunk if any program changes or deletes one of its rows, so the rows of an
    /// existing chunk are those that reading its text would give. They don't notice a row that
    /// `REPLACE` deletes, because SQLite fires no trigger then.
    static let exportChunks = """
        CREATE TABLE export_chunk (
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL,
            content BLOB NOT NULL
        );
        CREATE TABLE export_chunk_run (
            chunk INTEGER NOT NULL REFERENCES export_chunk (id) ON DELETE CASCADE,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (chunk, first)
        ) WITHOUT ROWID;
        CREATE INDEX export_chunk_run_last ON export_chunk_run (last, first);
        CREATE TRIGGER export_chunk_row_deleted AFTER DELETE ON sample BEGIN
            \(deleteChunks(of: "OLD"))
        END;
        CREATE TRIGGER export_chunk_row_updated AFTER UPDATE ON sample BEGIN
            \(deleteChunks(of: "OLD"))
        END;
        CREATE TRIGGER export_chunk_row_moved AFTER UPDATE OF sequence ON sample BEGIN
            \(deleteChunks(of: "NEW"))
        END;
        CREATE TRIGGER export_chunk_detail_inserted AFTER INSERT ON detail BEGIN
            \(deleteChunks(of: "NEW"))
        END;
        CREATE TRIGGER export_chunk_detail_deleted AFTER DELETE ON detail BEGIN
            \(deleteChunks(of: "OLD"))
        END;
        CREATE TRIGGER export_chunk_detail_updated AFTER UPDATE ON detail BEGIN
            \(deleteChunks(of: "OLD"))
        END;
        """

    /// Runs are short, so only a few are searched.
    private static func deleteChunks(of row: String) -> String {
        """
        DELETE FROM export_chunk WHERE id IN (
                SELECT chunk FROM export_chunk_run
                WHERE last BETWEEN \(row).sequence AND \(row).sequence + \(maximumChunkRecords - 1)
                AND first <= \(row).sequence);
        """
    }
}

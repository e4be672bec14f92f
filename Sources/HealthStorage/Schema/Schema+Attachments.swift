extension Schema {
    /// Version 7: files that programs attach to samples, in chunks of
    /// ``StoredAttachment/chunkSize`` bytes.
    ///
    /// An attachment follows its sample when that gets another sequence number, and is deleted with
    /// it. While `staged` has a value, the attachment isn't complete and no reader finds it.
    static let attachments = """
        CREATE TABLE attachment (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            sample INTEGER NOT NULL
                REFERENCES sample (sequence) ON UPDATE CASCADE ON DELETE CASCADE,
            name TEXT NOT NULL,
            content_type TEXT NOT NULL,
            size INTEGER NOT NULL,
            created REAL NOT NULL,
            metadata TEXT NOT NULL,
            staged REAL
        );
        CREATE INDEX attachment_sample ON attachment (sample);
        CREATE INDEX attachment_staged ON attachment (staged) WHERE staged IS NOT NULL;

        CREATE TABLE attachment_chunk (
            id INTEGER PRIMARY KEY,
            attachment INTEGER NOT NULL REFERENCES attachment (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            content BLOB NOT NULL
        );
        CREATE UNIQUE INDEX attachment_chunk_order ON attachment_chunk (attachment, position);
        """
}

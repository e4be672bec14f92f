extension Schema {
    /// Version 2: tables and columns for samples that programs save.
    ///
    /// Stores of version 1 have only imported samples, so the new columns keep their
    /// defaults, except `has_details`.
    static let savedSamples = """
        ALTER TABLE origin ADD COLUMN product_type TEXT;
        ALTER TABLE origin ADD COLUMN operating_system TEXT;
        DROP INDEX origin_content;
        CREATE UNIQUE INDEX origin_content ON origin
            (ifnull(source, 0), ifnull(version, ''), ifnull(device, 0), ifnull(unit, 0),
             ifnull(product_type, ''), ifnull(operating_system, ''));

        ALTER TABLE type ADD COLUMN has_details INTEGER NOT NULL DEFAULT 0;
        UPDATE type SET has_details = 1
            WHERE code IN (SELECT sample.type FROM detail JOIN sample USING (sequence));

        ALTER TABLE tombstone ADD COLUMN member_types TEXT;
        CREATE UNIQUE INDEX tombstone_uuid ON tombstone (uuid) WHERE uuid IS NOT NULL;

        CREATE TABLE sync_identifier (
            source INTEGER NOT NULL REFERENCES source (id),
            type INTEGER NOT NULL,
            identifier TEXT NOT NULL,
            version REAL NOT NULL,
            sample INTEGER NOT NULL REFERENCES sample (sequence)
                ON UPDATE CASCADE ON DELETE CASCADE,
            PRIMARY KEY (source, type, identifier)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX sync_identifier_sample ON sync_identifier (sample);
        """
}

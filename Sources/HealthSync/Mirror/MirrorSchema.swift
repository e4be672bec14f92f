import GRDB

/// The mirror's tables and migrations.
///
/// ```
/// entry ── type        attachment       notes, tags, photos, numbers, by an entry's uuid
///   └───── origin      attachment_gone  identifiers of removed attachments
/// gone                 deleted samples  position         how far each subscriber has read
/// intent               pending writes   meta             change counter, device ID, own app IDs
/// ```
/// Times are REAL seconds since 2001-01-01 UTC, as in `Date`; a UUID is a BLOB of 16 bytes.
enum MirrorSchema {
    /// "OHM1": SQLite's application ID of mirror files.
    static let applicationID: Int64 = 0x4F48_4D31

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: samples)
            try db.execute(sql: ownData)
            try db.execute(sql: progress)
        }
        return migrator
    }

    private static let samples = """
        CREATE TABLE type (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE
        );

        CREATE TABLE origin (
            id INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            bundle TEXT NOT NULL,
            device TEXT
        );
        CREATE UNIQUE INDEX origin_content ON origin (bundle, source, ifnull(device, ''));

        CREATE TABLE entry (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            type INTEGER NOT NULL REFERENCES type (id),
            start REAL NOT NULL,
            "end" REAL NOT NULL,
            kind INTEGER NOT NULL,
            value REAL,
            unit TEXT,
            category INTEGER,
            origin INTEGER NOT NULL REFERENCES origin (id),
            sync_identifier TEXT,
            sync_version REAL,
            metadata TEXT,
            state INTEGER NOT NULL DEFAULT 0,
            change INTEGER NOT NULL
        );
        CREATE INDEX entry_start ON entry (type, start);
        CREATE INDEX entry_long ON entry (type, start) WHERE \(LongEntry.condition);
        CREATE INDEX entry_sync ON entry (sync_identifier) WHERE sync_identifier IS NOT NULL;

        CREATE TABLE gone (
            uuid BLOB PRIMARY KEY NOT NULL,
            type INTEGER REFERENCES type (id),
            sync_identifier TEXT,
            sync_version REAL,
            bundle TEXT,
            proof INTEGER NOT NULL,
            change INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX gone_sync ON gone (sync_identifier) WHERE sync_identifier IS NOT NULL;

        """

    private static let ownData = """
        CREATE TABLE attachment (
            id BLOB PRIMARY KEY NOT NULL,
            uuid BLOB NOT NULL,
            is_attached INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('note', 'tag', 'photo', 'number')),
            name TEXT,
            text TEXT,
            number REAL,
            unit TEXT,
            digest TEXT,
            bytes INTEGER,
            created REAL NOT NULL,
            modified REAL NOT NULL,
            type TEXT,
            start REAL,
            sync_identifier TEXT,
            bundle TEXT
        );
        CREATE INDEX attachment_entry ON attachment (uuid);
        CREATE INDEX attachment_sync ON attachment (sync_identifier)
            WHERE sync_identifier IS NOT NULL;
        CREATE INDEX attachment_digest ON attachment (digest) WHERE digest IS NOT NULL;

        CREATE TABLE attachment_gone (
            id BLOB PRIMARY KEY NOT NULL,
            removed REAL NOT NULL
        ) WITHOUT ROWID;

        """

    // `meta` has row IDs, because SQLite's update hook does not report changes of tables WITHOUT
    // ROWID.
    private static let progress = """
        CREATE TABLE intent (
            id INTEGER PRIMARY KEY,
            sync_identifier TEXT NOT NULL UNIQUE,
            sync_version INTEGER NOT NULL,
            draft TEXT NOT NULL,
            replaces BLOB,
            stage TEXT NOT NULL,
            created REAL NOT NULL
        );

        CREATE TABLE position (
            lane TEXT NOT NULL,
            type TEXT NOT NULL,
            filter TEXT NOT NULL,
            anchor BLOB NOT NULL,
            before REAL,
            caught_up REAL NOT NULL,
            PRIMARY KEY (lane, type, filter)
        ) WITHOUT ROWID;

        CREATE TABLE meta (
            key TEXT PRIMARY KEY NOT NULL,
            value NOT NULL
        );
        INSERT INTO meta (key, value) VALUES ('change', 0), ('device', hex(randomblob(16)));
        """
}

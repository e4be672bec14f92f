import Foundation
import GRDB

/// The tables of a store file and the migrations between its versions.
///
/// `Documentation/Schema.md` describes every table.
///
/// ```
/// sample ── origin ── source        removed    rows that an import replaced, or that vanished
///   │  │      ├────── device        tombstone  deletions to be delivered
///   │  │      └────── unit          import     one row for each import, with its ledger
///   │  └── metadata                 segment    column segments; edit: the log of edits
///   ├── detail (workouts, series)   raw_element elements not understood or quarantined, as read
///   ├── membership (correlations)   authorization, source_setting, characteristic, store
///   └── sync_identifier             sync identifiers and versions of saved samples
/// route, export_file                points of workout routes; other files of an export
/// intake_route, receipt, deletion   what phones send; external_total, received_record
/// intake_cursor, twin, source_match what was received, and also exported
/// day_note                          what a person wrote about days
/// medication                        medications that a person tracks
/// attachment, attachment_chunk      files that programs attach to samples
/// export_chunk, export_chunk_run    texts of the latest export that needn't be read again
/// object_authorization              single objects that a program may read
/// type, source_alias                codes of types; all names of imported sources
/// ```
/// Invariant: `sample.sequence` and `tombstone.sequence` come from one counter and are never
/// reused.
enum Schema {
    /// The application id in the file's header, "OHK1" in ASCII.
    static let applicationID: Int32 = 0x4F48_4B31

    /// The name of the last migration.
    static let latestVersion = "7"

    /// The hash of the latest version's schema, see ``SchemaComparison``. A test checks it.
    static let latestDigest: UInt64 = 0x1c42_257f_5c07_2d4b

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: tables)
            try db.execute(sql: views)
            // A random identifier of the store. Copies of the file have the same one.
            try db.execute(
                sql: "INSERT INTO store (key, value) VALUES ('identifier', hex(randomblob(16)))")
        }
        migrator.registerMigration("2") { db in try db.execute(sql: savedSamples) }
        migrator.registerMigration("3") { db in try db.execute(sql: companionFiles) }
        migrator.registerMigration("4") { db in try db.execute(sql: segments) }
        migrator.registerMigration("5") { db in try db.execute(sql: intake) }
        migrator.registerMigration("6") { db in try db.execute(sql: dayNotes) }
        migrator.registerMigration("7") { db in
            let parts = [
                importDigest, medications, attachments, objectAuthorization, exportChunks,
                dropSegmentsWithUnknownOrder,
            ]
            for part in parts { try db.execute(sql: part) }
        }
        return migrator
    }

    /// The index for most reads. Separate, so that a first import can build it after loading.
    static let orderIndex = "CREATE INDEX sample_order ON sample (type, start_time, key);"

    static let dropOrderIndex = "DROP INDEX sample_order;"

    /// A partial index with few rows, so keeping it up during an import is cheaper than building it
    /// later.
    private static let longIndex = """
        CREATE INDEX sample_long ON sample (type, start_time) WHERE \(LongSample.condition);
        """

    private static let tables = """
        CREATE TABLE store (
            key TEXT PRIMARY KEY NOT NULL,
            value ANY
        ) WITHOUT ROWID;

        CREATE TABLE type (
            code INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            kind INTEGER NOT NULL
        );

        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            identity TEXT UNIQUE,
            name TEXT NOT NULL,
            bundle_identifier TEXT NOT NULL,
            derivation TEXT NOT NULL CHECK (derivation IN ('derived', 'given', 'own')),
            kind TEXT NOT NULL CHECK (kind IN ('health', 'watch', 'phone', 'pod', 'other')),
            hardware TEXT,
            first_seen REAL
        );
        CREATE INDEX source_bundle ON source (bundle_identifier);

        CREATE TABLE source_alias (
            folded TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            source INTEGER NOT NULL REFERENCES source (id)
        ) WITHOUT ROWID;

        CREATE TABLE source_setting (
            type INTEGER NOT NULL REFERENCES type (code),
            source INTEGER NOT NULL REFERENCES source (id),
            rank INTEGER,
            excluded INTEGER,
            reason TEXT,
            PRIMARY KEY (type, source)
        ) WITHOUT ROWID;

        CREATE TABLE device (
            id INTEGER PRIMARY KEY,
            content TEXT NOT NULL UNIQUE,
            name TEXT, manufacturer TEXT, model TEXT, hardware TEXT,
            firmware TEXT, software TEXT, local_identifier TEXT, udi TEXT
        );

        CREATE TABLE unit (
            id INTEGER PRIMARY KEY,
            symbol TEXT NOT NULL UNIQUE,
            factor REAL,
            "offset" REAL
        );

        CREATE TABLE origin (
            id INTEGER PRIMARY KEY,
            source INTEGER REFERENCES source (id),
            version TEXT,
            device INTEGER REFERENCES device (id),
            unit INTEGER REFERENCES unit (id)
        );
        CREATE UNIQUE INDEX origin_content ON origin
            (ifnull(source, 0), ifnull(version, ''), ifnull(device, 0), ifnull(unit, 0));

        CREATE TABLE metadata (
            id INTEGER PRIMARY KEY,
            digest INTEGER NOT NULL,
            entries TEXT NOT NULL
        );
        CREATE INDEX metadata_digest ON metadata (digest);

        CREATE TABLE sample (
            sequence INTEGER PRIMARY KEY,
            type INTEGER NOT NULL,
            start_time REAL NOT NULL,
            key INTEGER NOT NULL,
            end_time REAL NOT NULL,
            created REAL,
            origin INTEGER NOT NULL,
            metadata INTEGER,
            value REAL,
            uuid BLOB
        );
        \(orderIndex)
        \(longIndex)
        CREATE UNIQUE INDEX sample_uuid ON sample (uuid) WHERE uuid IS NOT NULL;

        CREATE TABLE detail (
            sequence INTEGER PRIMARY KEY
                REFERENCES sample (sequence) ON UPDATE CASCADE ON DELETE CASCADE,
            content TEXT NOT NULL
        );

        CREATE TABLE membership (
            parent INTEGER NOT NULL REFERENCES sample (sequence)
                ON UPDATE CASCADE ON DELETE CASCADE,
            child INTEGER NOT NULL REFERENCES sample (sequence)
                ON UPDATE CASCADE ON DELETE CASCADE,
            PRIMARY KEY (parent, child)
        ) WITHOUT ROWID;
        CREATE INDEX membership_child ON membership (child);

        CREATE TABLE import (
            id INTEGER PRIMARY KEY,
            file TEXT NOT NULL,
            export_date REAL,
            export_offset INTEGER,
            locale TEXT,
            bytes INTEGER NOT NULL,
            imported_at REAL NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('snapshot', 'addition', 'partial')),
            first_sequence INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL,
            ledger TEXT NOT NULL,
            previous TEXT
        );

        CREATE TABLE removed (
            id INTEGER PRIMARY KEY,
            import INTEGER REFERENCES import (id),
            reason TEXT NOT NULL CHECK (reason IN ('vanished', 'changed', 'deleted', 'replaced')),
            removed_sequence INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            type INTEGER NOT NULL,
            start_time REAL NOT NULL,
            key INTEGER NOT NULL,
            end_time REAL NOT NULL,
            created REAL,
            origin INTEGER NOT NULL,
            metadata INTEGER,
            value REAL,
            uuid BLOB,
            detail TEXT,
            members TEXT
        );
        CREATE INDEX removed_order ON removed (type, start_time, key);

        CREATE TABLE tombstone (
            sequence INTEGER PRIMARY KEY,
            type INTEGER NOT NULL,
            start_time REAL NOT NULL,
            key INTEGER NOT NULL,
            end_time REAL NOT NULL,
            origin INTEGER NOT NULL,
            metadata INTEGER,
            uuid BLOB
        );
        CREATE INDEX tombstone_order ON tombstone (type, start_time, key);

        CREATE TABLE raw_element (
            id INTEGER PRIMARY KEY,
            import INTEGER NOT NULL REFERENCES import (id),
            position INTEGER NOT NULL,
            element TEXT NOT NULL,
            reason TEXT NOT NULL,
            digest INTEGER NOT NULL,
            xml TEXT NOT NULL
        );
        CREATE INDEX raw_element_digest ON raw_element (digest);

        CREATE TABLE characteristic (
            identifier TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE authorization (
            client TEXT NOT NULL,
            type INTEGER NOT NULL,
            share INTEGER NOT NULL DEFAULT 0,
            read INTEGER NOT NULL DEFAULT 0,
            earliest REAL,
            PRIMARY KEY (client, type)
        ) WITHOUT ROWID;

        CREATE TABLE segment (
            type INTEGER NOT NULL,
            start_time REAL NOT NULL,
            key INTEGER NOT NULL,
            count INTEGER NOT NULL,
            latest_end REAL NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (type, start_time, key)
        ) WITHOUT ROWID;
        """

    private static let views = """
        CREATE VIEW record AS
        SELECT sample.sequence,
               type.identifier AS type,
               source.name AS source,
               datetime(sample.start_time + 978307200, 'unixepoch') AS start_utc,
               CASE WHEN sample.end_time < 63113904000
                    THEN datetime(sample.end_time + 978307200, 'unixepoch') END AS end_utc,
               sample.value,
               unit.symbol AS unit,
               device.name AS device,
               metadata.entries AS metadata
        FROM sample
        JOIN type ON type.code = sample.type
        JOIN origin ON origin.id = sample.origin
        LEFT JOIN source ON source.id = origin.source
        LEFT JOIN unit ON unit.id = origin.unit
        LEFT JOIN device ON device.id = origin.device
        LEFT JOIN metadata ON metadata.id = sample.metadata;
        """
}

CREATE TABLE authorization (
    client TEXT NOT NULL,
    type INTEGER NOT NULL,
    share INTEGER NOT NULL DEFAULT 0,
    read INTEGER NOT NULL DEFAULT 0,
    earliest REAL,
    PRIMARY KEY (client, type)
) WITHOUT ROWID;

CREATE TABLE characteristic (
    identifier TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE day_note (
    day TEXT PRIMARY KEY NOT NULL,
    text TEXT NOT NULL,
    modified REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE deletion (
    uuid BLOB PRIMARY KEY NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('deleted', 'authorizationRevoked', 'notFound')),
    route INTEGER NOT NULL REFERENCES intake_route (id),
    reported_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE detail (
    sequence INTEGER PRIMARY KEY
        REFERENCES sample (sequence) ON UPDATE CASCADE ON DELETE CASCADE,
    content TEXT NOT NULL
);

CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    content TEXT NOT NULL UNIQUE,
    name TEXT, manufacturer TEXT, model TEXT, hardware TEXT,
    firmware TEXT, software TEXT, local_identifier TEXT, udi TEXT
);

CREATE TABLE edit (
    id INTEGER PRIMARY KEY,
    type INTEGER NOT NULL,
    start_time REAL NOT NULL,
    end_time REAL NOT NULL
);

CREATE TABLE export_file (
    id INTEGER PRIMARY KEY,
    import INTEGER NOT NULL REFERENCES import (id),
    kind TEXT NOT NULL CHECK (kind IN
        ('electrocardiogram', 'clinicalRecord', 'attachment')),
    name TEXT NOT NULL,
    recorded REAL,
    content BLOB NOT NULL
);

CREATE INDEX export_file_name ON export_file (kind, name);

CREATE INDEX export_file_recorded ON export_file (kind, recorded)
    WHERE recorded IS NOT NULL;

CREATE TABLE external_total (
    type INTEGER NOT NULL,
    start_time REAL NOT NULL,
    end_time REAL NOT NULL,
    statistic TEXT NOT NULL,
    source TEXT NOT NULL,
    route INTEGER NOT NULL REFERENCES intake_route (id),
    series TEXT NOT NULL,
    value REAL NOT NULL,
    unit INTEGER NOT NULL REFERENCES unit (id),
    revision INTEGER NOT NULL,
    received_at REAL NOT NULL,
    PRIMARY KEY (type, start_time, end_time, statistic, source, route, series)
) WITHOUT ROWID;

CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

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

CREATE TABLE intake_cursor (
    route INTEGER NOT NULL REFERENCES intake_route (id),
    stream TEXT NOT NULL,
    cursor TEXT NOT NULL,
    PRIMARY KEY (route, stream)
) WITHOUT ROWID;

CREATE TABLE intake_route (
    id INTEGER PRIMARY KEY,
    device TEXT NOT NULL,
    dialect TEXT NOT NULL
);

CREATE UNIQUE INDEX intake_route_device ON intake_route (device, dialect);

CREATE TABLE membership (
    parent INTEGER NOT NULL REFERENCES sample (sequence)
        ON UPDATE CASCADE ON DELETE CASCADE,
    child INTEGER NOT NULL REFERENCES sample (sequence)
        ON UPDATE CASCADE ON DELETE CASCADE,
    PRIMARY KEY (parent, child)
) WITHOUT ROWID;

CREATE INDEX membership_child ON membership (child);

CREATE TABLE metadata (
    id INTEGER PRIMARY KEY,
    digest INTEGER NOT NULL,
    entries TEXT NOT NULL
);

CREATE INDEX metadata_digest ON metadata (digest);

CREATE TABLE origin (
    id INTEGER PRIMARY KEY,
    source INTEGER REFERENCES source (id),
    version TEXT,
    device INTEGER REFERENCES device (id),
    unit INTEGER REFERENCES unit (id)
, product_type TEXT, operating_system TEXT, route INTEGER REFERENCES intake_route (id));

CREATE UNIQUE INDEX origin_content ON origin
    (ifnull(source, 0), ifnull(version, ''), ifnull(device, 0), ifnull(unit, 0),
     ifnull(product_type, ''), ifnull(operating_system, ''), ifnull(route, 0));

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

CREATE TABLE receipt (
    id INTEGER PRIMARY KEY,
    route INTEGER NOT NULL REFERENCES intake_route (id),
    idempotency_key TEXT,
    body_digest BLOB NOT NULL,
    received_at REAL NOT NULL,
    position INTEGER NOT NULL,
    first_sequence INTEGER NOT NULL,
    last_sequence INTEGER NOT NULL,
    is_complete INTEGER NOT NULL,
    counts TEXT NOT NULL,
    records TEXT NOT NULL
);

CREATE INDEX receipt_body ON receipt (route, body_digest);

CREATE UNIQUE INDEX receipt_key ON receipt (route, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

CREATE INDEX receipt_sequence ON receipt (first_sequence);

CREATE TABLE received_record (
    id INTEGER PRIMARY KEY,
    receipt INTEGER NOT NULL REFERENCES receipt (id),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    digest INTEGER NOT NULL,
    json TEXT NOT NULL
);

CREATE INDEX received_record_digest ON received_record (digest);

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

CREATE TABLE route (
    id INTEGER PRIMARY KEY,
    import INTEGER NOT NULL REFERENCES import (id),
    start_time REAL NOT NULL,
    end_time REAL NOT NULL,
    file TEXT,
    count INTEGER NOT NULL,
    points BLOB NOT NULL
);

CREATE INDEX route_time ON route (start_time, end_time);

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

CREATE TRIGGER sample_deleted AFTER DELETE ON sample BEGIN
    DELETE FROM segment WHERE id = (
        SELECT id FROM segment
        WHERE type = OLD.type AND (start_time, key) <= (OLD.start_time, OLD.key)
        ORDER BY start_time DESC, key DESC LIMIT 1)
        AND (until_time, until_key) > (OLD.start_time, OLD.key);
    INSERT INTO edit (type, start_time, end_time)
        VALUES (OLD.type, OLD.start_time, OLD.end_time);
    DELETE FROM edit WHERE id <= last_insert_rowid() - 1024;
END;

CREATE TRIGGER sample_inserted AFTER INSERT ON sample BEGIN
    DELETE FROM segment WHERE id = (
        SELECT id FROM segment
        WHERE type = NEW.type AND (start_time, key) <= (NEW.start_time, NEW.key)
        ORDER BY start_time DESC, key DESC LIMIT 1)
        AND (until_time, until_key) > (NEW.start_time, NEW.key);
    INSERT INTO edit (type, start_time, end_time)
        VALUES (NEW.type, NEW.start_time, NEW.end_time);
    DELETE FROM edit WHERE id <= last_insert_rowid() - 1024;
END;

CREATE INDEX sample_long ON sample (type, start_time) WHERE end_time - start_time > 86400;

CREATE INDEX sample_order ON sample (type, start_time, key);

CREATE TRIGGER sample_updated
AFTER UPDATE OF type, start_time, key, end_time, created, origin, value ON sample BEGIN
    DELETE FROM segment WHERE id = (
        SELECT id FROM segment
        WHERE type = OLD.type AND (start_time, key) <= (OLD.start_time, OLD.key)
        ORDER BY start_time DESC, key DESC LIMIT 1)
        AND (until_time, until_key) > (OLD.start_time, OLD.key);
    INSERT INTO edit (type, start_time, end_time)
        VALUES (OLD.type, OLD.start_time, OLD.end_time);
    DELETE FROM edit WHERE id <= last_insert_rowid() - 1024;
    DELETE FROM segment WHERE id = (
        SELECT id FROM segment
        WHERE type = NEW.type AND (start_time, key) <= (NEW.start_time, NEW.key)
        ORDER BY start_time DESC, key DESC LIMIT 1)
        AND (until_time, until_key) > (NEW.start_time, NEW.key);
    INSERT INTO edit (type, start_time, end_time)
        VALUES (NEW.type, NEW.start_time, NEW.end_time);
    DELETE FROM edit WHERE id <= last_insert_rowid() - 1024;
END;

CREATE UNIQUE INDEX sample_uuid ON sample (uuid) WHERE uuid IS NOT NULL;

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

CREATE TABLE source_alias (
    folded TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES source (id)
) WITHOUT ROWID;

CREATE INDEX source_bundle ON source (bundle_identifier);

CREATE TABLE source_match (
    bundle_identifier TEXT PRIMARY KEY NOT NULL,
    imported INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    matched INTEGER NOT NULL,
    days INTEGER NOT NULL,
    is_unified INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE source_setting (
    type INTEGER NOT NULL REFERENCES type (code),
    source INTEGER NOT NULL REFERENCES source (id),
    rank INTEGER,
    excluded INTEGER,
    reason TEXT,
    PRIMARY KEY (type, source)
) WITHOUT ROWID;

CREATE TABLE store (
    key TEXT PRIMARY KEY NOT NULL,
    value ANY
) WITHOUT ROWID;

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

CREATE TABLE tombstone (
    sequence INTEGER PRIMARY KEY,
    type INTEGER NOT NULL,
    start_time REAL NOT NULL,
    key INTEGER NOT NULL,
    end_time REAL NOT NULL,
    origin INTEGER NOT NULL,
    metadata INTEGER,
    uuid BLOB
, member_types TEXT);

CREATE INDEX tombstone_order ON tombstone (type, start_time, key);

CREATE UNIQUE INDEX tombstone_uuid ON tombstone (uuid) WHERE uuid IS NOT NULL;

CREATE TABLE twin (
    uuid BLOB PRIMARY KEY NOT NULL,
    type INTEGER NOT NULL,
    start_time REAL NOT NULL,
    key INTEGER NOT NULL,
    import INTEGER NOT NULL REFERENCES import (id),
    received TEXT
) WITHOUT ROWID;

CREATE INDEX twin_identity ON twin (type, start_time, key);

CREATE TABLE type (
    code INTEGER PRIMARY KEY,
    identifier TEXT NOT NULL UNIQUE,
    kind INTEGER NOT NULL
, has_details INTEGER NOT NULL DEFAULT 0);

CREATE TABLE unit (
    id INTEGER PRIMARY KEY,
    symbol TEXT NOT NULL UNIQUE,
    factor REAL,
    "offset" REAL
);

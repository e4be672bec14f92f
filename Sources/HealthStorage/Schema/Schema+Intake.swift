extension Schema {
    /// Version 5: what phones send.
    ///
    /// A route is a device with the format that it sends. Each origin of a received sample has its
    /// route. Receipts, totals and records that are not samples have tables of their own, so no
    /// query on samples sees them. `deletion` is apart from `tombstone`, because tombstones are
    /// purged, and a deletion of HealthKit's is final. A twin is a row with HealthKit's UUID that an
    /// export contains too.
    static let intake = """
        CREATE TABLE intake_route (
            id INTEGER PRIMARY KEY,
            device TEXT NOT NULL,
            dialect TEXT NOT NULL
        );
        CREATE UNIQUE INDEX intake_route_device ON intake_route (device, dialect);

        ALTER TABLE origin ADD COLUMN route INTEGER REFERENCES intake_route (id);
        DROP INDEX origin_content;
        CREATE UNIQUE INDEX origin_content ON origin
            (ifnull(source, 0), ifnull(version, ''), ifnull(device, 0), ifnull(unit, 0),
             ifnull(product_type, ''), ifnull(operating_system, ''), ifnull(route, 0));

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

        CREATE TABLE intake_cursor (
            route INTEGER NOT NULL REFERENCES intake_route (id),
            stream TEXT NOT NULL,
            cursor TEXT NOT NULL,
            PRIMARY KEY (route, stream)
        ) WITHOUT ROWID;

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

        CREATE TABLE deletion (
            uuid BLOB PRIMARY KEY NOT NULL,
            reason TEXT NOT NULL CHECK (reason IN ('deleted', 'authorizationRevoked', 'notFound')),
            route INTEGER NOT NULL REFERENCES intake_route (id),
            reported_at REAL NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE twin (
            uuid BLOB PRIMARY KEY NOT NULL,
            type INTEGER NOT NULL,
            start_time REAL NOT NULL,
            key INTEGER NOT NULL,
            import INTEGER NOT NULL REFERENCES import (id),
            received TEXT
        ) WITHOUT ROWID;
        CREATE INDEX twin_identity ON twin (type, start_time, key);

        CREATE TABLE source_match (
            bundle_identifier TEXT PRIMARY KEY NOT NULL,
            imported INTEGER NOT NULL,
            rows INTEGER NOT NULL,
            matched INTEGER NOT NULL,
            days INTEGER NOT NULL,
            is_unified INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}

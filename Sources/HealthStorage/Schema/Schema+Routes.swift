extension Schema {
    /// Version 3: the content of an export's files beside its XML. The points of workout routes are
    /// packed in `route`, apart from the workouts. Electrocardiograms, clinical records and
    /// attachments are stored unchanged in `export_file`.
    static let companionFiles = """
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
        """
}

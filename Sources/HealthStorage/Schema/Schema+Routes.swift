extension Schema {
    /// Version 3: the content of the other files of an export. Points of workout routes are stored
    /// apart from the workouts. Other files are stored as they are.
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

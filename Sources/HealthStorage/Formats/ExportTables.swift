/// The tables of a ``ExportDatabase``, described in `Documentation/ExportSchema.md`.
enum ExportTables {
    /// The version of the format. It changes if the meaning of a column changes, not if columns are
    /// added.
    static let version = "1"

    static let about = "CREATE TABLE about (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL);"

    static let samples = """
        CREATE TABLE sample (
            id INTEGER PRIMARY KEY,
            uuid TEXT NOT NULL,
            type TEXT NOT NULL,
            start_date TEXT NOT NULL,
            end_date TEXT,
            start_unix REAL NOT NULL,
            end_unix REAL,
            value REAL,
            value_name TEXT,
            unit TEXT,
            source TEXT,
            bundle_identifier TEXT,
            source_version TEXT,
            device TEXT,
            device_json TEXT,
            created_date TEXT,
            metadata TEXT,
            detail TEXT,
            day TEXT NOT NULL
        );
        CREATE TABLE workout (
            uuid TEXT NOT NULL,
            activity TEXT NOT NULL,
            start_date TEXT NOT NULL,
            end_date TEXT,
            start_unix REAL NOT NULL,
            end_unix REAL,
            duration REAL,
            distance REAL,
            distance_unit TEXT,
            energy REAL,
            energy_unit TEXT,
            swimming_strokes REAL,
            flights_climbed REAL,
            source TEXT,
            routes INTEGER NOT NULL
        );
        CREATE TABLE workout_statistics (
            workout_uuid TEXT NOT NULL,
            type TEXT NOT NULL,
            unit TEXT,
            sum REAL,
            average REAL,
            minimum REAL,
            maximum REAL
        );
        CREATE TABLE workout_event (
            workout_uuid TEXT NOT NULL,
            type TEXT NOT NULL,
            start_date TEXT NOT NULL,
            start_unix REAL NOT NULL,
            duration REAL,
            metadata TEXT
        );
        CREATE TABLE route (
            id INTEGER PRIMARY KEY,
            workout_uuid TEXT,
            sample_uuid TEXT,
            start_date TEXT NOT NULL,
            end_date TEXT,
            start_unix REAL NOT NULL,
            end_unix REAL,
            file TEXT,
            points INTEGER NOT NULL,
            metadata TEXT
        );
        CREATE TABLE route_point (
            route INTEGER NOT NULL,
            position INTEGER NOT NULL,
            unix REAL NOT NULL,
            latitude REAL,
            longitude REAL,
            altitude REAL,
            horizontal_accuracy REAL,
            vertical_accuracy REAL,
            course REAL,
            speed REAL,
            course_accuracy REAL,
            speed_accuracy REAL,
            PRIMARY KEY (route, position)
        ) WITHOUT ROWID;
        CREATE TABLE activity_summary (
            uuid TEXT NOT NULL,
            date TEXT NOT NULL,
            active_energy REAL,
            active_energy_goal REAL,
            active_energy_unit TEXT,
            move_minutes REAL,
            move_minutes_goal REAL,
            exercise_minutes REAL,
            exercise_minutes_goal REAL,
            stand_hours REAL,
            stand_hours_goal REAL
        );
        CREATE TABLE member (
            holder_uuid TEXT NOT NULL,
            holder_type TEXT NOT NULL,
            member_uuid TEXT NOT NULL
        );
        CREATE TABLE day_note (
            day TEXT PRIMARY KEY NOT NULL,
            text TEXT NOT NULL,
            modified_date TEXT NOT NULL,
            modified_unix REAL NOT NULL
        );
        """

    static let mergedIntervals = """
        CREATE TABLE stretch (
            type TEXT NOT NULL,
            start_date TEXT NOT NULL,
            end_date TEXT NOT NULL,
            start_unix REAL NOT NULL,
            end_unix REAL NOT NULL,
            value REAL,
            unit TEXT NOT NULL,
            source TEXT NOT NULL,
            bundle_identifier TEXT NOT NULL,
            day TEXT NOT NULL,
            value_name TEXT
        );
        """

    static let characteristics = """
        CREATE TABLE characteristic (
            identifier TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        );
        """

    /// Statements to run after all rows are written. They build the indexes, link routes that are
    /// samples to their workouts, and count the routes of each workout.
    static let sampleSuffix = """
        CREATE INDEX sample_type ON sample (type, start_unix);
        CREATE INDEX sample_uuid ON sample (uuid);
        CREATE INDEX workout_start ON workout (start_unix);
        CREATE INDEX member_holder ON member (holder_uuid);
        CREATE INDEX member_member ON member (member_uuid);
        UPDATE route SET workout_uuid =
            (SELECT min(holder_uuid) FROM member WHERE member_uuid = route.sample_uuid)
            WHERE sample_uuid IS NOT NULL;
        CREATE INDEX route_workout ON route (workout_uuid);
        UPDATE workout SET routes = (SELECT count(*) FROM route WHERE workout_uuid = workout.uuid);
        """

    static let intervalSuffix = "CREATE INDEX stretch_type ON stretch (type, start_unix);"
}

extension Schema {
    /// Version 3: points of imported workout routes, apart from the workouts they belong to.
    static let routes = """
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
        """
}

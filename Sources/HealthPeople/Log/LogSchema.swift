/// The tables of people and their logs, for SQLite and PostgreSQL.
///
/// Migrations only go forward and only add, so that nodes with an older version go on while newer
/// ones start. Each key begins with the person, so that the tables can be spread by person.
enum LogSchema {
    /// A version of the schema.
    struct Migration {
        var number: Int
        var statements: @Sendable (SQLDialect) -> [String]
    }

    static let migrations = [
        Migration(number: 1) { dialect in
            directory(dialect) + log(dialect) + accessLog(dialect)
                + (dialect == .postgreSQL ? storage + rowLevelSecurity(limitedTables) : [])
        },
        Migration(number: 2) { dialect in
            places(dialect) + (dialect == .postgreSQL ? rowLevelSecurity(placedTables) : [])
        },
        // The identifier of the database of keys; NULL until the first start.
        Migration(number: 3) { _ in ["ALTER TABLE log_database ADD COLUMN keys TEXT"] },
    ]

    /// Creates what is missing.
    ///
    /// - Throws: ``PeopleError/newerVersion``, ``SQLError``.
    static func migrate(_ database: any SQLDatabase, _ dialect: SQLDialect) throws {
        try migrate(database, dialect, migrations, table: "people_migration")
    }

    /// The database of keys, which isn't backed up with the log.
    static func migrateKeys(_ database: any SQLDatabase, _ dialect: SQLDialect) throws {
        try migrate(
            database, dialect, [Migration(number: 1, statements: keys)], table: "key_migration")
    }

    private static func migrate(
        _ database: any SQLDatabase, _ dialect: SQLDialect, _ migrations: [Migration], table: String
    ) throws {
        let latest = migrations.map(\.number).max() ?? 0
        if let version = try? version(database, table), version >= latest {
            // A newer version has only added to what this one uses.
            return
        }
        try database.blockingTransaction(.readWrite) { connection in
            if dialect == .postgreSQL {
                // Nodes that start at the same time wait for each other.
                try connection.execute("SELECT pg_advisory_xact_lock(5717002)")
            }
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS \(table) (number \(dialect.integer) PRIMARY KEY NOT NULL)"
            )
            let done = try connection.execute("SELECT coalesce(max(number), 0) FROM \(table)")
            let version = try done.rows[0].int(0)
            for migration in migrations where migration.number > version {
                for statement in migration.statements(dialect) { try connection.execute(statement) }
                _ = try connection.execute(
                    "INSERT INTO \(table) (number) VALUES ($1)",
                    [.integer(Int64(migration.number))])
            }
        }
    }

    /// The last migration; throws if there is no table.
    private static func version(_ database: any SQLDatabase, _ table: String) throws -> Int {
        try database.blockingTransaction(.readOnly) { connection in
            try connection.execute("SELECT coalesce(max(number), 0) FROM \(table)").rows[0].int(0)
        }
    }

    // MARK: - Version 1

    @Sendable private static func keys(_ dialect: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE person_key (
                person TEXT NOT NULL,
                version \(dialect.integer) NOT NULL,
                operator_key TEXT NOT NULL,
                wrapped \(dialect.bytes) NOT NULL,
                PRIMARY KEY (person, version)
            )
            """,
            """
            CREATE TABLE key_database ( -- one row
                identifier TEXT PRIMARY KEY NOT NULL, -- random, of this database
                operator_key TEXT NOT NULL -- the identifier of the key that wraps all keys
            )
            """,
        ]
    }

    private static func directory(_ dialect: SQLDialect) -> [String] {
        let (bytes, integer, real) = (dialect.bytes, dialect.integer, dialect.real)
        return [
            """
            CREATE TABLE person (
                person TEXT PRIMARY KEY NOT NULL,
                name \(bytes), -- sealed with the person's key
                created_at \(real) NOT NULL,
                disabled_at \(real),
                erased_at \(real)
            )
            """,
            """
            CREATE TABLE person_token (
                identifier TEXT PRIMARY KEY NOT NULL,
                person TEXT NOT NULL, -- empty for an operator
                kind TEXT NOT NULL CHECK (kind IN ('device', 'reading', 'operator')),
                name TEXT NOT NULL, -- of the device or the program
                folded TEXT NOT NULL, -- the name without case, to compare
                digest \(bytes) NOT NULL, -- SHA-256 of the secret part
                scope TEXT, -- JSON; NULL for everything
                created_at \(real) NOT NULL,
                used_at \(real),
                revoked_at \(real)
            )
            """,
            "CREATE INDEX person_token_person ON person_token (person, kind, folded)",
            """
            CREATE TABLE session (
                digest \(bytes) PRIMARY KEY NOT NULL, -- SHA-256 of the cookie
                person TEXT NOT NULL,
                token TEXT NOT NULL, -- the token that opened it; revoking it ends the session
                created_at \(real) NOT NULL,
                expires_at \(real) NOT NULL
            )
            """,
            "CREATE INDEX session_person ON session (person)",
            """
            CREATE TABLE contact (
                person TEXT NOT NULL,
                device TEXT NOT NULL,
                dialect TEXT NOT NULL,
                requests \(integer) NOT NULL,
                contacted_at \(real) NOT NULL,
                status \(integer) NOT NULL,
                problem TEXT, -- why the last request was refused, without a value
                last_sample_end \(real),
                PRIMARY KEY (person, device, dialect)
            )
            """,
        ]
    }

    private static func log(_ dialect: SQLDialect) -> [String] {
        let (bytes, integer, real) = (dialect.bytes, dialect.integer, dialect.real)
        return [
            """
            CREATE TABLE person_head (
                person TEXT PRIMARY KEY NOT NULL,
                head \(integer) NOT NULL,
                hash \(bytes) NOT NULL,
                epoch \(integer) NOT NULL,
                erased \(integer) NOT NULL DEFAULT 0,
                frozen \(integer) NOT NULL DEFAULT 0, -- 1 while the person is moved
                revocations \(integer) NOT NULL DEFAULT 0, -- counts revoked tokens and sessions
                bytes \(integer) NOT NULL DEFAULT 0, -- of all entries and checkpoints, for quotas
                quota \(integer) -- the most bytes; NULL for no limit
            )
            """,
            """
            CREATE TABLE entry (
                person TEXT NOT NULL,
                number \(integer) NOT NULL,
                kind TEXT NOT NULL CHECK (kind IN ('changeset', 'checkpoint')),
                schema TEXT NOT NULL,
                key_version \(integer) NOT NULL,
                prev_hash \(bytes) NOT NULL,
                payload \(bytes) NOT NULL,
                written_at \(real) NOT NULL,
                PRIMARY KEY (person, number)
            )
            """,
            """
            CREATE TABLE receipt (
                person TEXT NOT NULL,
                device TEXT NOT NULL,
                key TEXT NOT NULL,
                body_hash \(bytes) NOT NULL,
                cursor TEXT,
                number \(integer) NOT NULL,
                answer TEXT NOT NULL,
                written_at \(real) NOT NULL,
                PRIMARY KEY (person, device, key)
            )
            """,
        ] + copies(dialect)
    }

    private static func copies(_ dialect: SQLDialect) -> [String] {
        let (bytes, integer, real) = (dialect.bytes, dialect.integer, dialect.real)
        return [
            """
            CREATE TABLE snapshot (
                person TEXT NOT NULL,
                number \(integer) NOT NULL, -- the entry whose state it has
                hash \(bytes) NOT NULL, -- that entry's
                key_version \(integer) NOT NULL,
                schema TEXT NOT NULL,
                copy TEXT NOT NULL, -- the identifier of the chunks
                manifest \(bytes) NOT NULL, -- sealed
                bytes \(integer) NOT NULL, -- of the chunks
                written_at \(real) NOT NULL,
                written_by TEXT NOT NULL, -- the process
                verified_at \(real), -- when another process had restored and compared it
                PRIMARY KEY (person, number)
            )
            """,
            """
            CREATE TABLE snapshot_chunk (
                person TEXT NOT NULL,
                copy TEXT NOT NULL, -- written before its row of snapshot
                "index" \(integer) NOT NULL,
                payload \(bytes) NOT NULL,
                written_at \(real) NOT NULL,
                PRIMARY KEY (person, copy, "index")
            )
            """,
        ]
    }

    private static func accessLog(_ dialect: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE access (
                id \(dialect.identity),
                person TEXT NOT NULL,
                at \(dialect.real) NOT NULL,
                actor TEXT NOT NULL, -- the token's public identifier, or the operator's account
                action TEXT NOT NULL, -- read or write
                subject TEXT NOT NULL, -- the resource, with the category of data
                days TEXT, -- the first and the last day that were asked for
                origin TEXT, -- the address of the client
                result \(dialect.integer) NOT NULL -- HTTP status
            )
            """,
            "CREATE INDEX access_person ON access (person, id)",
        ] + appendOnly(dialect)
    }

    /// Rows of the access log can be added, not changed or deleted.
    private static func appendOnly(_ dialect: SQLDialect) -> [String] {
        switch dialect {
        case .sqlite:
            ["UPDATE", "DELETE"].map { verb in
                """
                CREATE TRIGGER access_\(verb.lowercased()) BEFORE \(verb) ON access BEGIN
                    SELECT RAISE(ABORT, 'the access log is append-only');
                END
                """
            }
        case .postgreSQL:
            [
                """
                CREATE FUNCTION access_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'the access log is append-only'; END $$
                """,
                """
                CREATE TRIGGER access_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON access
                    FOR EACH STATEMENT EXECUTE FUNCTION access_is_append_only()
                """,
            ]
        }
    }

    /// Payloads are compressed and sealed, so PostgreSQL doesn't try to compress them.
    private static let storage = ["entry", "snapshot_chunk"].map { table in
        "ALTER TABLE \(table) ALTER COLUMN payload SET STORAGE EXTERNAL"
    }

    private static let limitedTables = [
        "person", "person_token", "session", "contact", "person_head", "entry", "receipt",
        "snapshot", "snapshot_chunk", "access",
    ]

    /// A transaction sees the rows of the person that it named, and nothing if it named none.
    /// Superusers are exempt: nodes connect as another role.
    private static func rowLevelSecurity(_ tables: [String]) -> [String] {
        tables.flatMap { table in
            [
                "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY",
                "ALTER TABLE \(table) FORCE ROW LEVEL SECURITY",
                """
                CREATE POLICY one_person ON \(table)
                    USING (person = current_setting('openhealth.person', true) AND person <> ''
                        OR current_setting('openhealth.person', true) = '*')
                """,
            ]
        }
    }

    // MARK: - Version 2

    private static let placedTables = ["placement", "token_placement", "pending_move"]

    /// Several databases: only those of the home database have rows, except `log_database`.
    private static func places(_ dialect: SQLDialect) -> [String] {
        let (integer, real) = (dialect.integer, dialect.real)
        return [
            """
            CREATE TABLE log_database ( -- one row
                identifier TEXT PRIMARY KEY NOT NULL -- random, of this database
            )
            """,
            "INSERT INTO log_database (identifier) VALUES (\(dialect.randomIdentifier))",
            """
            CREATE TABLE place (
                name TEXT PRIMARY KEY NOT NULL,
                identifier TEXT UNIQUE NOT NULL, -- of the database
                address TEXT NOT NULL, -- without a password
                added_at \(real) NOT NULL
            )
            """,
            """
            CREATE TABLE placement ( -- a person without a row is at home
                person TEXT PRIMARY KEY NOT NULL,
                place TEXT NOT NULL,
                placed_at \(real) NOT NULL
            )
            """,
            "CREATE INDEX placement_place ON placement (place)",
            """
            CREATE TABLE token_placement ( -- the tokens of people who aren't at home
                identifier TEXT PRIMARY KEY NOT NULL,
                person TEXT NOT NULL
            )
            """,
            "CREATE INDEX token_placement_person ON token_placement (person)",
            """
            CREATE TABLE pending_move (
                number \(dialect.identity), -- counts moves; a later one has precedence
                person TEXT UNIQUE NOT NULL,
                source TEXT NOT NULL,
                target TEXT NOT NULL, -- empty for a database that is no place
                switched \(integer) NOT NULL DEFAULT 0 -- 1 when the person is at the target
            )
            """,
        ]
    }

    /// Returns the random identifier of a database.
    static func identifier(of database: any SQLDatabase) throws -> String {
        try database.blockingTransaction(.readOnly) { connection in
            try connection.execute("SELECT identifier FROM log_database").rows[0].text(0)
        }
    }

    /// Notes the database of keys at the first start, and throws for another one: its people would
    /// seem to have no keys, as if they were erased.
    ///
    /// - Throws: ``PeopleError/wrongKeyDatabase``, ``SQLError``.
    static func requireKeys(_ keys: String, of database: any SQLDatabase) throws {
        let find = "SELECT keys FROM log_database"
        var known = try database.blockingTransaction(.readOnly) { connection in
            try connection.execute(find).rows[0].optionalText(0)
        }
        if known == nil {
            known = try database.blockingTransaction(.readWrite) { connection in
                _ = try connection.execute(
                    "UPDATE log_database SET keys = $1 WHERE keys IS NULL", [.text(keys)])
                return try connection.execute(find).rows[0].optionalText(0)
            }
        }
        guard known == keys else { throw PeopleError.wrongKeyDatabase }
    }

    /// The statements that distribute the tables by person with Citus.
    static let citus = limitedTables.filter { $0 != "person_token" && $0 != "session" }.map {
        "SELECT create_distributed_table('\($0)', 'person');"
    }
}

/// The schema as text for people.
package enum PeopleSchema {
    /// The statements that create the tables in PostgreSQL.
    package static var postgreSQL: String {
        LogSchema.migrations.flatMap { $0.statements(.postgreSQL) }.map { $0 + ";\n" }.joined()
    }

    /// The statements that distribute them with Citus.
    package static var citus: String { LogSchema.citus.map { $0 + "\n" }.joined() }
}

import GRDB
import HealthEngine
import Synchronization

/// Compares the schema of a file with the one that the migrations create.
///
/// A trigger that another program added would run during the next import, and a view in place of a
/// table would be read instead. So a file in which a table, index, trigger or view is added,
/// altered or missing is only opened for ``SampleStore/check()``. See "What may be added" in
/// `Documentation/Schema.md`.
enum SchemaComparison {
    /// A row of `sqlite_schema`, with the white space of its SQL normalized.
    struct Object: Hashable {
        var type: String
        var name: String
        var table: String
        var sql: String
    }

    /// An object that is added, altered or missing.
    struct Difference: Hashable {
        enum Kind: Hashable { case added, altered, missing }

        var kind: Kind
        var type: String
        var name: String

        var isMissingTable: Bool { kind == .missing && type == "table" }

        /// The difference in words, such as "trigger “double” is added".
        var text: String {
            let state =
                switch kind {
                case .added: "is added"
                case .altered: "is altered"
                case .missing: "is missing"
                }
            let (type, name) = (
                SchemaComparison.printable(self.type), SchemaComparison.printable(self.name)
            )
            return "\(type) “\(name)” \(state)"
        }
    }

    /// Returns a name from the file in printable form, cut after 60 characters.
    private static func printable(_ name: String) -> String {
        let text = name.unicodeScalars.map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: "?"
            default: Character(scalar)
            }
        }
        return text.count > 60 ? String(text.prefix(60)) + "…" : String(text)
    }

    /// All objects but SQLite's internal tables and indexes, whose names start with `sqlite_`.
    private static let query = """
        SELECT type, name, tbl_name, ifnull(sql, '') AS sql FROM main.sqlite_schema
        WHERE NOT (type IN ('table', 'index') AND name LIKE 'sqlite^_%' ESCAPE '^')
        ORDER BY type, name
        """

    private static func objects(_ db: Database) throws -> [Object] {
        try CheckedRow.readAll(db, sql: query).map { row in
            let sql: String = try row["sql"]
            let name: String = try row["name"]
            return Object(
                type: try row["type"], name: name, table: try row["tbl_name"],
                // The SQL of GRDB's own table depends on GRDB's version.
                sql: name == "grdb_migrations"
                    ? "" : sql.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        }
    }

    /// Returns whether GRDB's table of completed migrations exists and is an ordinary table. Check
    /// this before reading it, because a view in its place could return an unbounded number of
    /// rows.
    static func hasMigrationTable(_ db: Database) throws -> Bool {
        try hasTable("grdb_migrations", db)
    }

    /// Returns whether the file has an ordinary table of a name. A view or a virtual table in its
    /// place could have rows without end.
    static func hasTable(_ name: String, _ db: Database) throws -> Bool {
        try Int.readOne(
            db,
            sql: """
                SELECT count(*) FROM main.sqlite_schema WHERE name = ?
                    AND type = 'table' AND sql LIKE 'CREATE TABLE%'
                """,
            arguments: [name]) == 1
    }

    /// Throws unless the schema matches.
    ///
    /// - Throws: ``StoreError`` of code `alteredSchema` that names the first object that differs.
    /// - Complexity: O(objects). For an earlier version or another hash, a store in memory is also
    ///   created, once for each version in a process.
    static func require(_ db: Database, path: String) throws {
        guard let difference = try differences(db).first else { return }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        throw StoreError(.alteredSchema(in: name, difference: difference.text))
    }

    /// Returns the differences from a new store of the file's own version.
    ///
    /// The result is empty for an empty file, and for one whose migrations table lists none. A file
    /// with objects but without that table has one difference, the missing table.
    static func differences(_ db: Database) throws -> [Difference] {
        guard try hasMigrationTable(db) || objects(db).isEmpty else {
            return [Difference(kind: .missing, type: "table", name: "grdb_migrations")]
        }
        guard let version = try Schema.migrator.completedMigrations(db).last else { return [] }
        if version == Schema.latestVersion, try digest(db) == Schema.latestDigest { return [] }
        return differences(try objects(db), try reference(version))
    }

    private static func differences(_ found: [Object], _ wanted: [Object]) -> [Difference] {
        struct Name: Hashable { var type: String, name: String }
        func named(_ objects: [Object]) -> [Name: Object] {
            Dictionary(
                objects.map { (Name(type: $0.type, name: $0.name), $0) },
                uniquingKeysWith: { first, _ in first })
        }
        let (present, known) = (named(found), named(wanted))
        let extra = found.compactMap { object -> Difference? in
            let existing = known[Name(type: object.type, name: object.name)]
            if existing == object { return nil }
            return Difference(
                kind: existing == nil ? .added : .altered, type: object.type, name: object.name)
        }
        let missing = wanted.filter { present[Name(type: $0.type, name: $0.name)] == nil }
            .map { Difference(kind: .missing, type: $0.type, name: $0.name) }
        return extra + missing
    }

    private static let references = Mutex<[String: [Object]]>([:])

    /// Returns the objects of a new store migrated to a version.
    private static func reference(_ version: String) throws -> [Object] {
        if let known = references.withLock({ $0[version] }) { return known }
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue, upTo: version)
        let objects = try queue.read(objects)
        references.withLock { $0[version] = objects }
        return objects
    }

    /// Returns the digest of a new store, for comparison with ``Schema/latestDigest``.
    static func digestOfNewStore() throws -> UInt64 {
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue)
        return try queue.read(digest)
    }

    private enum Column: Int32, StatementField {
        case type, name, table, sql

        var sql: String {
            switch self {
            case .type: "type"
            case .name: "name"
            case .table: "tbl_name"
            case .sql: "sql"
            }
        }
    }

    /// Returns an FNV-1a hash of the objects of a file, by which an unaltered store is recognized
    /// without creating another one. Every opening of a store computes it, so it creates no texts.
    private static func digest(_ db: Database) throws -> UInt64 {
        var hash = FNV1a()
        let rows = try StoreStatement<NoFields, Column>(db, query)
        while try rows.step() {
            var isMigrations = false
            for column in [Column.type, .name, .table] {
                try rows.withBytes(column) { bytes in
                    if column == .name {
                        isMigrations = bytes.elementsEqual("grdb_migrations".utf8)
                    }
                    hash.add(bytes)
                    hash.add(0xFF)
                }
            }
            if !isMigrations { try rows.withBytes(.sql) { addWords(of: $0, to: &hash) } }
            hash.add(0xFF)
        }
        return hash.value
    }

    /// Adds SQL with each run of white space as one space.
    private static func addWords(of sql: UnsafeRawBufferPointer, to hash: inout FNV1a) {
        var isAfterSpace = false
        for byte in sql {
            let isSpace = byte == 0x20 || (9...13).contains(byte)
            if !isSpace || !isAfterSpace { hash.add(isSpace ? 0x20 : byte) }
            isAfterSpace = isSpace
        }
    }
}

import GRDB
import HealthEngine

/// One rule that a healthy store obeys, as a sentence, with how often it is broken.
public struct InvariantBreach: Hashable, Sendable {
    public var invariant: String
    public var count: Int
}

extension SampleStore {
    /// Verifies every invariant of the file; an empty answer means a healthy store.
    ///
    /// In a file that SQLite itself finds damaged, or that lacks a table, nothing else is looked at but
    /// its schema.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(everything), several passes.
    public func check() throws -> [InvariantBreach] {
        try read { db in
            var breaches: [InvariantBreach] = []
            func note(_ invariant: String, _ count: Int) {
                if count > 0 {
                    breaches.append(InvariantBreach(invariant: invariant, count: count))
                }
            }
            /// What can't even be read is broken, too; its place is all that is told.
            func measure(_ invariant: String, _ body: () throws -> Int) throws {
                do {
                    note(invariant, try body())
                } catch let error as StoreError where error.code == .corrupt {
                    // Mostly one of the rules above says it better.
                    if breaches.isEmpty { note("\(invariant) (\(error.description))", 1) }
                }
            }
            let differences = try SchemaComparison.differences(db)
            for difference in differences {
                note("nothing is added to the schema or altered: \(difference.text)", 1)
            }
            // What stands in a table's place may have rows without end.
            if differences.contains(where: \.isMissingTable) { return breaches }
            let integrity = try String.readAll(db, sql: "PRAGMA integrity_check")
            if integrity != ["ok"] {
                note("the file is undamaged", integrity.count)
                return breaches
            }
            for (column, count) in try SampleStore.wrongColumns(db) {
                note("\(column) holds what its declaration says", count)
            }
            note(
                "references lead somewhere",
                try CheckedRow.readAll(db, sql: "PRAGMA foreign_key_check").count)
            for (invariant, sql) in SampleStore.invariants {
                try measure(invariant) { try Int.readOne(db, sql: sql) ?? 0 }
            }
            try measure("imported keys name their rows") { try SampleStore.wrongKeys(db) }
            try measure("saved keys follow from their UUIDs") { try SampleStore.wrongSavedKeys(db) }
            try measure("import ledgers add up") { try SampleStore.wrongLedgers(db) }
            try measure("segments hold what the rows hold") { try SegmentAudit.wrongSegments(db) }
            return breaches
        }
    }

    /// Drops what is derived from the rows to make statistics fast, and derives it anew.
    ///
    /// Nothing that was recorded is touched, and every answer stays what it was; ``check()`` says
    /// whether this was needed.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    /// - Complexity: O(samples).
    public func rebuildSegments() throws {
        try write { db in try SegmentWriter.rebuild(db) }
    }

    private static let invariants: [(String, String)] = [
        (
            "samples end no earlier than they start",
            "SELECT count(*) FROM sample WHERE end_time < start_time"
        ),
        (
            "times are finite",
            """
            SELECT count(*) FROM sample WHERE abs(start_time) > 1e12 OR abs(end_time) > 1e12
                OR abs(ifnull(created, 0)) > 1e12
            """
        ),
        (
            "numbers of changes are below the counter",
            """
            SELECT (SELECT count(*) FROM sample WHERE sequence > \(counter))
                 + (SELECT count(*) FROM tombstone WHERE sequence > \(counter))
            """
        ),
        (
            "no number of a change is used twice",
            """
            SELECT (SELECT count(*) FROM tombstone
                    WHERE sequence IN (SELECT sequence FROM sample))
                 + (SELECT count(*) FROM removed WHERE sequence IN (SELECT sequence FROM sample))
            """
        ),
        (
            "samples have a known type",
            "SELECT count(*) FROM sample WHERE type NOT IN (SELECT code FROM type)"
        ),
        (
            "samples have a known origin",
            "SELECT count(*) FROM sample WHERE origin NOT IN (SELECT id FROM origin)"
        ),
        (
            "metadata is there where it is named",
            """
            SELECT count(*) FROM sample WHERE metadata IS NOT NULL
                AND metadata NOT IN (SELECT id FROM metadata)
            """
        ),
        (
            "type, start and key name one imported sample",
            """
            SELECT count(*) FROM (SELECT 1 FROM sample WHERE uuid IS NULL
                GROUP BY type, start_time, key HAVING count(*) > 1)
            """
        ),
        (
            "metadata, details and ledgers can be read",
            """
            SELECT (SELECT count(*) FROM metadata WHERE NOT json_valid(entries))
                 + (SELECT count(*) FROM detail WHERE NOT json_valid(content))
                 + (SELECT count(*) FROM import WHERE NOT json_valid(ledger))
            """
        ),
        (
            "workouts and activity summaries have their details",
            """
            SELECT count(*) FROM sample JOIN type ON type.code = sample.type
            WHERE type.kind IN (4, 5) AND sequence NOT IN (SELECT sequence FROM detail)
            """
        ),
        (
            "imported sources have a bundle identifier",
            "SELECT count(*) FROM source WHERE bundle_identifier = ''"
        ),
        (
            "imported sources are found by their first name",
            """
            SELECT count(*) FROM source WHERE identity IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM source_alias WHERE folded = identity AND source = source.id)
            """
        ),
        (
            "saved samples have a UUID of 16 bytes",
            "SELECT count(*) FROM sample WHERE uuid IS NOT NULL AND length(uuid) <> 16"
        ),
        (
            "saved samples have a source with a bundle identifier",
            """
            SELECT count(*) FROM sample JOIN origin ON origin.id = sample.origin
            WHERE uuid IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM source WHERE id = origin.source AND bundle_identifier <> '')
            """
        ),
        (
            "what is saved is not deleted",
            "SELECT count(*) FROM tombstone JOIN sample USING (uuid)"
        ),
        (
            "sync identifiers are those of their samples",
            """
            SELECT count(*) FROM sync_identifier i JOIN sample ON sequence = i.sample
            JOIN origin ON origin.id = sample.origin
            LEFT JOIN metadata ON metadata.id = sample.metadata
            WHERE sample.type <> i.type OR origin.source IS NOT i.source OR uuid IS NULL
                OR CASE WHEN json_valid(entries)
                   THEN json_extract(entries, '$.HKMetadataKeySyncIdentifier') IS NOT i.identifier
                     OR json_extract(entries, '$.HKMetadataKeySyncVersion') <> i.version
                   ELSE entries IS NULL END
            """
        ),
        (
            "types know whether they have details",
            """
            SELECT count(*) FROM detail JOIN sample USING (sequence)
            JOIN type ON type.code = sample.type WHERE NOT has_details
            """
        ),
        (
            "points of routes are there where they are numbered",
            """
            SELECT count(*) FROM detail JOIN sample USING (sequence)
            JOIN type ON type.code = sample.type,
                json_each(CASE WHEN json_valid(content) THEN content ELSE '{}' END,
                          '$.workout.routes') AS part
            WHERE type.kind = 4 AND json_extract(part.value, '$.storedPoints') IS NOT NULL
                AND json_extract(part.value, '$.storedPoints') NOT IN (SELECT id FROM route)
            """
        ),
        (
            "vanished samples have a tombstone",
            """
            SELECT count(*) FROM removed WHERE reason = 'vanished'
                AND removed_sequence NOT IN (SELECT sequence FROM tombstone)
            """
        ),
    ]

    private static let counter =
        "(SELECT CAST(ifnull(max(value), 0) AS INTEGER) FROM store WHERE key = 'lastSequence')"

    /// Columns of the tables that hold values of a type they are not declared to hold, or beyond every
    /// store, with how many.
    private static func wrongColumns(_ db: Database) throws -> [(String, Int)] {
        let kinds = [
            "INTEGER": "'integer'", "REAL": "'real', 'integer'", "TEXT": "'text'", "BLOB": "'blob'",
        ]
        var wrong: [(String, Int)] = []
        let tables = try String.readAll(
            db,
            sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table' "
                + "AND name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY name")
        for table in tables {
            let columns = try db.columns(in: table).filter { kinds[$0.type] != nil }
            if columns.isEmpty { continue }
            let counts = columns.map { column in
                let empty = column.isNotNull ? "" : ", 'null'"
                let excess = ColumnRule.excess(of: column.name, column.type)
                return "ifnull(sum(typeof(\(column.name.quotedDatabaseIdentifier)) NOT IN "
                    + "(\(kinds[column.type] ?? "")\(empty))"
                    + (excess.map { " OR ifnull(\($0), 0)" } ?? "") + "), 0)"
            }
            let row = try CheckedRow.readOne(
                db,
                sql: "SELECT \(counts.joined(separator: ", ")) "
                    + "FROM main.\(table.quotedDatabaseIdentifier)")
            for (index, column) in columns.enumerated() {
                let count: Int = try row?[index] ?? 0
                if count > 0 { wrong.append(("\(table).\(column.name)", count)) }
            }
        }
        return wrong
    }

    /// Recomputes every imported key from its row.
    private static func wrongKeys(_ db: Database) throws -> Int {
        let table = try SourceTable(db)
        let numbers = table.entries.map {
            ImportedIdentity.sourceNumber(identity: $0.identity ?? $0.source.bundleIdentifier)
        }
        let rows = try RawStatement(
            db,
            "SELECT start_time, key, end_time, created, origin FROM sample WHERE uuid IS NULL "
                + "AND max(abs(start_time), abs(end_time), abs(ifnull(created, 0))) <= 1e12")
        var wrong = 0
        while try rows.step() {
            let origin = table.index(ofOrigin: rows.int(4))
            let source = origin < 0 ? -1 : table.origins[Int(origin)].source
            let key = ImportedIdentity.key(
                end: rows.double(2), created: rows.doubleOrNaN(3),
                source: source < 0 ? 0 : numbers[Int(source)])
            if key != ImportedIdentity.base(rows.int(1))
                || !ImportedIdentity.canHold(start: rows.double(0))
            {
                wrong += 1
            }
        }
        return wrong
    }

    /// Recomputes the key of every sample saved with a UUID of its own.
    private static func wrongSavedKeys(_ db: Database) throws -> Int {
        let rows = try RawStatement(db, "SELECT key, uuid FROM sample WHERE length(uuid) = 16")
        var wrong = 0
        while try rows.step() {
            if rows.uuid(1)?.savedKey != rows.int(0) { wrong += 1 }
        }
        return wrong
    }

    /// read = new + unchanged + changed + repeated + quarantined, in every ledger.
    private static func wrongLedgers(_ db: Database) throws -> Int {
        let sum = ["new", "unchanged", "changed", "repeated", "quarantined"]
            .map { "ifnull(json_extract(ledger, '$.records.\($0)'), 0)" }.joined(separator: " + ")
        return try Int.readOne(
            db,
            sql:
                "SELECT count(*) FROM import WHERE CASE WHEN json_valid(ledger) "
                + "THEN json_extract(ledger, '$.records.read') IS NOT NULL "
                + "AND json_extract(ledger, '$.records.read') <> \(sum) END") ?? 0
    }
}

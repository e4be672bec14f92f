import GRDB
import HealthEngine

/// A violated invariant of a store, and how many rows or places violate it.
public struct InvariantViolation: Hashable, Sendable {
    /// The invariant as a sentence in the affirmative, such as "times are finite".
    public var invariant: String
    /// The number of violations, always greater than 0.
    public var count: Int
}

extension SampleStore {
    /// Checks every invariant of the file.
    ///
    /// If a table is missing or SQLite reports damage, no other invariants are checked.
    ///
    /// - Returns: The violated invariants; empty for a sound store.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(size of the file), in several passes.
    public func check() throws -> [InvariantViolation] {
        try read { db in
            var violations: [InvariantViolation] = []
            func note(_ invariant: String, _ count: Int) {
                if count > 0 {
                    violations.append(InvariantViolation(invariant: invariant, count: count))
                }
            }
            /// Counts a value that can't be decoded as one violation, and names its place, never
            /// the value.
            func measure(_ invariant: String, _ body: () throws -> Int) throws {
                do {
                    note(invariant, try body())
                } catch let error as StoreError where error.code == .corrupt {
                    // If there is an earlier entry, it usually reports the same damage more
                    // precisely.
                    if violations.isEmpty { note("\(invariant) (\(error.description))", 1) }
                }
            }
            let differences = try SchemaComparison.differences(db)
            for difference in differences {
                note("the schema is unchanged: \(difference.text)", 1)
            }
            // A view in place of a table could return an unbounded number of rows.
            if differences.contains(where: \.isMissingTable) { return violations }
            let integrity = try String.readAll(db, sql: "PRAGMA integrity_check")
            if integrity != ["ok"] {
                note("the file is undamaged", integrity.count)
                return violations
            }
            for (column, count) in try SampleStore.wrongColumns(db) {
                note("\(column) has only values of its declared type", count)
            }
            note(
                "references point to existing rows",
                try CheckedRow.readAll(db, sql: "PRAGMA foreign_key_check").count)
            for (invariant, sql) in SampleStore.invariants + SampleStore.attachmentInvariants {
                try measure(invariant) { try Int.readOne(db, sql: sql) ?? 0 }
            }
            try measure("keys of imported samples match their values") {
                try SampleStore.wrongKeys(db)
            }
            try measure("keys of saved samples match their UUIDs") {
                try SampleStore.wrongSavedKeys(db)
            }
            try measure("medications can be read") {
                _ = try SampleStore.medications(db)
                return 0
            }
            try measure("import ledgers add up") { try SampleStore.wrongLedgers(db) }
            try measure("segments match the samples") { try SegmentAudit.wrongSegments(db) }
            return violations
        }
    }

    /// Drops the column segments, which are derived from the rows, and builds them again.
    ///
    /// Recorded data doesn't change. Results of statistics change only if segments were damaged,
    /// which ``check()`` reports.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    /// - Complexity: O(samples).
    package func rebuildSegments() throws {
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
            SELECT count(*) FROM sample WHERE abs(start_time) > \(ColumnRule.latestTime)
                OR abs(end_time) > \(ColumnRule.latestTime)
                OR abs(ifnull(created, 0)) > \(ColumnRule.latestTime)
            """
        ),
        (
            "sequence numbers are not above the counter",
            """
            SELECT (SELECT count(*) FROM sample WHERE sequence > \(counter))
                 + (SELECT count(*) FROM tombstone WHERE sequence > \(counter))
            """
        ),
        (
            "sequence numbers are unique",
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
            "referenced metadata exists",
            """
            SELECT (SELECT count(*) FROM sample WHERE metadata IS NOT NULL
                    AND metadata NOT IN (SELECT id FROM metadata))
                + (SELECT count(*) FROM twin
                   WHERE json_valid(received) AND json_extract(received, '$.metadata') <> 0
                    AND json_extract(received, '$.metadata') NOT IN (SELECT id FROM metadata))
            """
        ),
        (
            "type, start and key identify one imported sample",
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
                 + (SELECT count(*) FROM attachment WHERE NOT json_valid(metadata))
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
            "imported sources have an alias for their first name",
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
            "saved samples have no tombstone",
            "SELECT count(*) FROM tombstone JOIN sample USING (uuid)"
        ),
        (
            "sync identifiers match their samples",
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
            "types of samples with details are marked",
            """
            SELECT count(*) FROM detail JOIN sample USING (sequence)
            JOIN type ON type.code = sample.type WHERE NOT has_details
            """
        ),
        (
            "referenced route points exist",
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
            "decisions about objects have a UUID of 16 bytes and a known sequence number",
            """
            SELECT count(*) FROM object_authorization
            WHERE length(uuid) <> 16 OR granted NOT IN (0, 1) OR sequence > \(counter)
            """
        ),
        (
            "notes have a day and a text of permitted length",
            """
            SELECT count(*) FROM day_note
            WHERE ifnull(date(day, '+0 days') <> day, 1) OR day < '0001'
                OR length(text) NOT BETWEEN 1 AND \(DayNote.maximumLength)
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

    /// Returns the columns that hold values of an undeclared type or out of range, with the number
    /// of such values.
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
            let counts = columns.enumerated().map { index, column in
                let empty = column.isNotNull ? "" : ", 'null'"
                let violation = ColumnRule.rangeViolation(of: column.name, column.type)
                return "ifnull(sum(typeof(\(column.name.quotedDatabaseIdentifier)) NOT IN "
                    + "(\(kinds[column.type] ?? "")\(empty))"
                    + (violation.map { " OR ifnull(\($0), 0)" } ?? "") + "), 0) AS wrong_\(index)"
            }
            let row = try CheckedRow.readOne(
                db,
                sql: "SELECT \(counts.joined(separator: ", ")) "
                    + "FROM main.\(table.quotedDatabaseIdentifier)")
            for (index, column) in columns.enumerated() {
                let count: Int = try row?["wrong_\(index)"] ?? 0
                if count > 0 { wrong.append(("\(table).\(column.name)", count)) }
            }
        }
        return wrong
    }

    private enum ImportedColumn: Int32, StatementField {
        case sequence, startTime, key, endTime, created, origin
    }

    /// Counts the imported rows whose key differs from the key recomputed from the row, or whose
    /// start doesn't fit into a UUID. Rows with times out of range are left to another check.
    private static func wrongKeys(_ db: Database) throws -> Int {
        let table = try SourceTable(db)
        let numbers = table.entries.map {
            ImportedIdentity.sourceNumber(identity: $0.identity ?? $0.source.bundleIdentifier)
        }
        let contents = try ClinicalIdentity.numbers(db)
        let rows = try StoreStatement<NoFields, ImportedColumn>(
            db,
            "SELECT \(ImportedColumn.columns) FROM sample WHERE uuid IS NULL "
                + "AND max(abs(start_time), abs(end_time), abs(ifnull(created, 0))) "
                + "<= \(ColumnRule.latestTime)")
        var wrong = 0
        while try rows.step() {
            let origin = table.index(ofOrigin: rows.int(.origin))
            let source = origin < 0 ? -1 : table.origins[Int(origin)].source
            let key = ImportedIdentity.key(
                end: rows.double(.endTime), created: rows.doubleOrNaN(.created),
                source: source < 0 ? 0 : numbers[Int(source)],
                content: contents.isEmpty ? 0 : contents[rows.int(.sequence)] ?? 0)
            if key != ImportedIdentity.base(rows.int(.key))
                || !ImportedIdentity.canHold(start: rows.double(.startTime))
            {
                wrong += 1
            }
        }
        return wrong
    }

    private enum SavedColumn: Int32, StatementField { case key, uuid }

    /// Counts the samples with a UUID of their own whose key differs from the one derived from the
    /// UUID.
    private static func wrongSavedKeys(_ db: Database) throws -> Int {
        let rows = try StoreStatement<NoFields, SavedColumn>(
            db, "SELECT \(SavedColumn.columns) FROM sample WHERE length(uuid) = 16")
        var wrong = 0
        while try rows.step() {
            if try rows.uuid(.uuid)?.savedKey != rows.int(.key) { wrong += 1 }
        }
        return wrong
    }

    /// Counts the import ledgers in which the number of records read differs from new + unchanged +
    /// changed + repeated + quarantined.
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

import GRDB
import HealthEngine

/// A copy, as text, of the settings that an import can change: sources, their names and
/// settings, the person's characteristics, the home zone.
///
/// Comparing copies from before and after an import gives what it changed, so that an undo can
/// restore what hasn't changed since.
struct StoreSettings {
    /// The kinds of settings, in the order in which an undo restores them. `source` is compared
    /// only.
    enum Table: String, Codable, CaseIterable {
        case characteristic, zone
        case sourceSetting = "choice"
        case alias, firstSeen, name, source

        /// A query for all settings of the kind, as a key and a value.
        var selectSQL: String {
            let (key, value, table) = parts
            return "SELECT \(key), \(value) FROM \(table)"
        }

        private var parts: (key: String, value: String, table: String) {
            switch self {
            case .characteristic: ("identifier", "value", "characteristic")
            case .zone: ("key", "value", "store WHERE key IN ('homeZone', 'homeZoneReason')")
            case .sourceSetting:
                (
                    "json_array(type, source)", "json_array(rank, excluded, reason)",
                    "source_setting"
                )
            case .alias: ("folded", "json_array(name, source)", "source_alias")
            case .firstSeen:
                (
                    "CAST(id AS TEXT)", "printf('%!.17g', first_seen)",
                    "source WHERE first_seen IS NOT NULL"
                )
            case .name: ("CAST(id AS TEXT)", "name", "source")
            case .source:
                (
                    "CAST(id AS TEXT)",
                    "json_array(identity, bundle_identifier, derivation, kind, hardware)", "source"
                )
            }
        }

        /// A statement that sets the value ?2 at the key ?1; nil for `source`.
        fileprivate var upsertSQL: String? {
            switch self {
            case .characteristic:
                "INSERT OR REPLACE INTO characteristic (identifier, value) VALUES (?1, ?2)"
            case .zone: "INSERT OR REPLACE INTO store (key, value) VALUES (?1, ?2)"
            case .sourceSetting:
                """
                INSERT OR REPLACE INTO source_setting (type, source, rank, excluded, reason)
                VALUES (json_extract(?1, '$[0]'), json_extract(?1, '$[1]'),
                    json_extract(?2, '$[0]'), json_extract(?2, '$[1]'), json_extract(?2, '$[2]'))
                """
            case .alias:
                """
                INSERT OR REPLACE INTO source_alias (folded, name, source)
                VALUES (?1, json_extract(?2, '$[0]'), json_extract(?2, '$[1]'))
                """
            case .firstSeen:
                "UPDATE source SET first_seen = CAST(?2 AS REAL) WHERE id = CAST(?1 AS INTEGER)"
            case .name: "UPDATE source SET name = ?2 WHERE id = CAST(?1 AS INTEGER)"
            case .source: nil
            }
        }

        /// A statement that removes the value at the key ?1; nil for `name`.
        fileprivate var deleteSQL: String? {
            switch self {
            case .characteristic: "DELETE FROM characteristic WHERE identifier = ?1"
            case .zone: "DELETE FROM store WHERE key = ?1"
            case .sourceSetting:
                """
                DELETE FROM source_setting WHERE type = json_extract(?1, '$[0]')
                    AND source = json_extract(?1, '$[1]')
                """
            case .alias: "DELETE FROM source_alias WHERE folded = ?1"
            case .firstSeen:
                "UPDATE source SET first_seen = NULL WHERE id = CAST(?1 AS INTEGER)"
            case .name: nil
            case .source: "DELETE FROM source WHERE id = CAST(?1 AS INTEGER)"
            }
        }
    }

    /// A setting that was added, changed or removed, with its value before and after; nil where
    /// there is none.
    struct Change: Codable, Hashable {
        var table: Table
        var key: String
        var before: String?
        var after: String?
    }

    private enum Column: Int32, StatementField { case key, value }

    private var values: [Table: [String: String]] = [:]

    init(_ db: Database) throws {
        for table in Table.allCases {
            let rows = try CheckedRow.readAll(db, sql: table.selectSQL)
            values[table] = Dictionary(
                try rows.map { row in
                    (try row[Column.key] as String, (try row[Column.value] as String?) ?? "")
                },
                uniquingKeysWith: { first, _ in first })
        }
    }

    subscript(table: Table, key: String) -> String? { values[table]?[key] }

    func keys(of table: Table) -> [String] { (values[table] ?? [:]).keys.sorted() }

    /// Returns the changes from an earlier state to this one, in order of table and key.
    func changes(since before: StoreSettings) -> [Change] {
        Table.allCases.flatMap { table in
            Set(keys(of: table)).union(before.keys(of: table)).sorted().compactMap { key in
                let change = Change(
                    table: table, key: key, before: before[table, key], after: self[table, key])
                return change.before == change.after ? nil : change
            }
        }
    }

    /// Restores the setting from before a change, unless its value in this copy, which must be
    /// current, differs from the value after the change.
    func undo(_ change: Change, _ db: Database) throws {
        guard self[change.table, change.key] == change.after else { return }
        if let before = change.before {
            guard let sql = change.table.upsertSQL else { return }
            try db.execute(sql: sql, arguments: [change.key, before])
        } else if let sql = change.table.deleteSQL {
            try db.execute(sql: sql, arguments: [change.key])
        }
    }
}

extension SampleStore {
    /// Returns a hash of the settings that statistics and lists of sources depend on.
    ///
    /// It covers the store's identifier, the sources, their order and exclusions by type, the home
    /// zone, and the authorization of a program. It doesn't cover former names of sources,
    /// characteristics and preferred units.
    ///
    /// - Parameter client: The program whose authorization is included; nil to leave it out.
    /// - Returns: A 64-bit FNV-1a hash. Equal settings of a store have equal hashes, in every
    ///   process.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(sources + settings + authorized types of the program).
    package func settingsFingerprint(for client: String? = nil) throws -> UInt64 {
        try read { db in
            var hash = FNV1a()
            for sql in Self.settings {
                let statement = try StoreStatement<NoFields, SingleField>(db, sql)
                while try statement.step() {
                    hash.add(delimited: try statement.text(.value) ?? "")
                }
                hash.add(delimited: "")
            }
            if let client {
                let rows = try String.readAll(
                    db,
                    sql: "SELECT type || ' ' || share || ' ' || read || ' ' || ifnull(earliest, '')"
                        + " FROM authorization WHERE client = ? ORDER BY type",
                    arguments: [client])
                for row in rows { hash.add(delimited: row) }
            }
            return hash.value
        }
    }

    /// Queries that each return one text column in a fixed order.
    private static let settings = [
        "SELECT key || ' ' || value FROM store WHERE key IN ('identifier', 'homeZone') ORDER BY key",
        """
        SELECT id || ' ' || name || ' ' || bundle_identifier || ' ' || kind || ' '
            || ifnull(first_seen, '') FROM source ORDER BY id
        """,
        """
        SELECT type || ' ' || source || ' ' || ifnull(rank, '') || ' ' || ifnull(excluded, '')
            || ' ' || ifnull(reason, '') FROM source_setting ORDER BY type, source
        """,
    ]
}

import GRDB

/// What answers depend on beside samples, as text: sources and their names, choices about them, the
/// person's characteristics, the home zone.
///
/// Two states are compared to learn what an import changed beside samples, so that an undo can put back
/// what nobody has touched since.
struct StoreSettings {
    /// Tables in the order in which they are put back.
    enum Table: String, Codable, CaseIterable {
        case characteristic, zone, choice, alias, firstSeen, name, source

        /// Every row as a key and a value.
        var rows: String {
            switch self {
            case .characteristic: "SELECT identifier, value FROM characteristic"
            case .zone:
                "SELECT key, value FROM store WHERE key IN ('homeZone', 'homeZoneReason')"
            case .choice:
                """
                SELECT json_array(type, source), json_array(rank, excluded, reason)
                FROM source_setting
                """
            case .alias: "SELECT folded, json_array(name, source) FROM source_alias"
            case .firstSeen:
                """
                SELECT CAST(id AS TEXT), printf('%!.17g', first_seen) FROM source
                WHERE first_seen IS NOT NULL
                """
            case .name: "SELECT CAST(id AS TEXT), name FROM source"
            case .source:
                """
                SELECT CAST(id AS TEXT), json_array(identity, bundle_identifier, derivation, kind,
                    hardware) FROM source
                """
            }
        }

        /// Puts value ?2 at key ?1.
        fileprivate var put: String? {
            switch self {
            case .characteristic:
                "INSERT OR REPLACE INTO characteristic (identifier, value) VALUES (?1, ?2)"
            case .zone: "INSERT OR REPLACE INTO store (key, value) VALUES (?1, ?2)"
            case .choice:
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

        /// Takes away what stands at key ?1.
        fileprivate var take: String? {
            switch self {
            case .characteristic: "DELETE FROM characteristic WHERE identifier = ?1"
            case .zone: "DELETE FROM store WHERE key = ?1"
            case .choice:
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

    /// One row that was made, changed or taken away.
    struct Change: Codable, Hashable {
        var table: Table
        var key: String
        var before: String?
        var after: String?
    }

    private var values: [Table: [String: String]] = [:]

    init(_ db: Database) throws {
        for table in Table.allCases {
            let rows = try CheckedRow.readAll(db, sql: table.rows)
            values[table] = Dictionary(
                try rows.map { (try $0[0] as String, (try $0[1] as String?) ?? "") },
                uniquingKeysWith: { first, _ in first })
        }
    }

    subscript(table: Table, key: String) -> String? { values[table]?[key] }

    func keys(of table: Table) -> [String] { (values[table] ?? [:]).keys.sorted() }

    /// What leads from an earlier state to this one, in the order of tables and keys.
    func changes(since before: StoreSettings) -> [Change] {
        Table.allCases.flatMap { table in
            Set(keys(of: table)).union(before.keys(of: table)).sorted().compactMap { key in
                let change = Change(
                    table: table, key: key, before: before[table, key], after: self[table, key])
                return change.before == change.after ? nil : change
            }
        }
    }

    /// Puts back what a change replaced, unless something else stands there by now.
    func undo(_ change: Change, _ db: Database) throws {
        guard self[change.table, change.key] == change.after else { return }
        if let before = change.before {
            guard let sql = change.table.put else { return }
            try db.execute(sql: sql, arguments: [change.key, before])
        } else if let sql = change.table.take {
            try db.execute(sql: sql, arguments: [change.key])
        }
    }
}

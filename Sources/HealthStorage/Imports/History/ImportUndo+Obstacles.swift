import GRDB
import HealthEngine

extension ImportUndo {
    /// The most that are named one by one.
    private static let shown = 20

    /// What came after the import and rests on what it brought, a sentence each.
    func obstacles() throws -> [String] {
        try deletions() + attachments() + choices()
    }

    /// Rows of the import that programs have deleted or numbered anew.
    private func deletions() throws -> [String] {
        let live = try Int.readOne(
            db, sql: "SELECT count(*) FROM \(ImportTrace.rows(of: "sample", in: "?"))",
            arguments: [spans])
        guard let live, live != trace.rows else { return [] }
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT identifier, datetime(start_time + 978307200, 'unixepoch') AS start
                FROM tombstone JOIN type ON type.code = tombstone.type
                WHERE sequence > ? AND uuid IS NULL AND NOT EXISTS (
                    SELECT 1 FROM store WHERE key GLOB 'undone.*'
                        AND sequence BETWEEN CAST(substr(key, 8) AS INTEGER) AND store.value)
                ORDER BY sequence LIMIT \(ImportUndo.shown)
                """, arguments: [last])
        var lines = try rows.map { row -> String in
            "a program has deleted the \(ImportUndo.name(try row["identifier"])) sample of "
                + "\((try row["start"] as String?) ?? "") UTC"
        }
        let rest = abs(trace.rows - live) - lines.count
        if rest > 0 {
            lines.append("\(rest)\(lines.isEmpty ? "" : " more") of its samples have changed since")
        }
        return lines
    }

    /// Saved samples that belong to a row the undo would delete, or that it would belong to.
    private func attachments() throws -> [String] {
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT identifier, datetime(b.start_time + 978307200, 'unixepoch') AS start,
                    count(*) AS attached
                FROM sample b JOIN type ON type.code = b.type
                JOIN (SELECT tie.parent AS brought, tie.child AS saved
                      FROM json_each(?1) span CROSS JOIN membership tie
                          ON tie.parent BETWEEN span.value ->> 0 AND span.value ->> 1
                      UNION ALL SELECT tie.child, tie.parent
                      FROM json_each(?1) span CROSS JOIN membership tie
                          ON tie.child BETWEEN span.value ->> 0 AND span.value ->> 1
                ) m ON m.brought = b.sequence
                JOIN sample s ON s.sequence = m.saved
                WHERE s.uuid IS NOT NULL AND b.sequence NOT IN (
                    SELECT removed_sequence FROM removed
                    WHERE id > ?2 AND id <= ?3 AND reason = 'changed')
                GROUP BY b.sequence ORDER BY b.sequence LIMIT \(ImportUndo.shown)
                """,
            arguments: [spans, trace.removedAfter, trace.removedThrough])
        return try rows.map { row in
            let count: Int = try row["attached"]
            return "a program has attached \(count == 1 ? "a sample" : "\(count) samples") to the "
                + "\(ImportUndo.name(try row["identifier"])) of \((try row["start"] as String?) ?? "") UTC"
        }
    }

    /// What was chosen or saved under sources that the import was the first to bring.
    private func choices() throws -> [String] {
        var lines: [String] = []
        let own = Set(trace.settings)
        for id in trace.newSources {
            let name = settings[.name, id] ?? ""
            let entry = trace.settings.first { $0.table == .source && $0.key == id }
            if settings[.source, id] != entry?.after {
                lines.append("the source “\(name)” has been given another identifier")
            }
            let saved = try Int.readOne(
                db,
                sql: """
                    SELECT count(*) FROM sample WHERE sequence > ? AND uuid IS NOT NULL
                        AND origin IN (SELECT id FROM origin WHERE source = ?)
                    """, arguments: [last, id])
            if let saved, saved > 0 {
                let samples = saved == 1 ? "a sample" : "\(saved) samples"
                lines.append("programs have saved \(samples) under the source “\(name)”")
            }
            let rows = try CheckedRow.readAll(
                db,
                sql: """
                    SELECT json_array(type, source) AS key, json_array(rank, excluded, reason)
                        AS value, identifier
                    FROM source_setting JOIN type ON type.code = source_setting.type
                    WHERE source = ? ORDER BY type
                    """, arguments: [id])
            for row in rows {
                let change = StoreSettings.Change(
                    table: .choice, key: try row["key"], before: nil, after: try row["value"])
                if own.contains(change) { continue }
                let type = ImportUndo.name(try row["identifier"])
                lines.append(
                    "the order of \(type) names the source “\(name)”; "
                        + "openhealth sources reset \(type)")
            }
        }
        return lines
    }

    private static func name(_ identifier: String) -> String {
        Catalogue.type(identifier: identifier)?.name ?? identifier
    }
}

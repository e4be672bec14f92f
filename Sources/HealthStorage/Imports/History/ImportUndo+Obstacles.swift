import GRDB
import HealthEngine

extension ImportUndoError {
    /// A later change that depends on data of the import.
    public enum Obstacle: Hashable, Sendable, CustomStringConvertible {
        /// A program has deleted a sample of this type, with its start in UTC.
        case deleted(type: String, start: String)
        /// This number of the import's samples was changed or deleted; if `isFurther` is true, in
        /// addition to the deleted ones in the list.
        case changed(Int, isFurther: Bool)
        /// A program has saved this number of samples as members or parents of one sample, given by
        /// its type and its start in UTC.
        case attached(Int, type: String, start: String)
        /// A person has set another bundle identifier for a source that the import added.
        case identified(source: String)
        /// Programs have saved this number of samples under a source that the import added.
        case saved(Int, source: String)
        /// A person has set the rank or the exclusion, for a type, of a source that the import
        /// added.
        case ordered(type: String, source: String)

        public var description: String {
            switch self {
            case .deleted(let type, let start):
                "a program has deleted the \(type) sample of \(start) UTC"
            case .changed(let count, let isFurther):
                "\(count)\(isFurther ? " more" : "") of its samples have been changed"
            case .attached(let count, let type, let start):
                "a program has attached \(count == 1 ? "a sample" : "\(count) samples") to the "
                    + "\(type) of \(start) UTC"
            case .identified(let source):
                "the source “\(source)” has been given another identifier"
            case .saved(let count, let source):
                "programs have saved \(count == 1 ? "a sample" : "\(count) samples") under the "
                    + "source “\(source)”"
            case .ordered(let type, let source):
                "the source order of \(type) includes the source “\(source)”"
            }
        }
    }
}

extension ImportUndo {
    typealias Obstacle = ImportUndoError.Obstacle

    /// The maximum number of deleted samples to list, and of samples with attached ones.
    private static let maximumListed = 20

    /// Returns the later changes that depend on data of the import.
    func obstacles() throws -> [Obstacle] {
        try deletions() + attachments() + sourceObstacles()
    }

    /// Returns up to 20 deletions by programs since the import, and the number of further rows of
    /// the import that are missing; nothing if all its rows are stored.
    private func deletions() throws -> [Obstacle] {
        let storedRows = try Int.readOne(
            db,
            sql: "SELECT count(*) FROM \(ImportTrace.rows(of: "sample", in: "?")) "
                + "WHERE row.uuid IS NULL",
            arguments: [spans])
        let presentRows = try (storedRows ?? 0) + takenRows() + takenOverRows()
        if presentRows == trace.rows { return [] }
        let rows = try CheckedRow.readAll(
            db,
            sql: """
                SELECT identifier, datetime(start_time + 978307200, 'unixepoch') AS start
                FROM tombstone JOIN type ON type.code = tombstone.type
                WHERE sequence > ? AND uuid IS NULL AND NOT EXISTS (
                    SELECT 1 FROM store WHERE key GLOB 'undone.*'
                        AND sequence BETWEEN CAST(substr(key, 8) AS INTEGER) AND store.value)
                    AND NOT EXISTS (
                        SELECT 1 FROM removed WHERE removed_sequence = tombstone.sequence
                            AND \(TakenOver.removedByDevice("removed")))
                ORDER BY sequence LIMIT \(ImportUndo.maximumListed)
                """, arguments: [last])
        var obstacles = try rows.map { row -> Obstacle in
            .deleted(
                type: ImportUndo.name(try row["identifier"]),
                start: (try row["start"] as String?) ?? "")
        }
        let unlisted = abs(trace.rows - presentRows) - obstacles.count
        if unlisted > 0 { obstacles.append(.changed(unlisted, isFurther: !obstacles.isEmpty)) }
        return obstacles
    }

    /// Returns saved samples that are members or parents of rows that the undo would delete.
    private func attachments() throws -> [Obstacle] {
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
                JOIN origin o ON o.id = s.origin
                WHERE s.uuid IS NOT NULL AND b.uuid IS NULL AND o.route IS NULL
                    AND s.uuid NOT IN (SELECT uuid FROM twin) AND b.sequence NOT IN (
                    SELECT removed_sequence FROM removed
                    WHERE id > ?2 AND id <= ?3 AND reason = 'changed')
                GROUP BY b.sequence ORDER BY b.sequence LIMIT \(ImportUndo.maximumListed)
                """,
            arguments: [spans, trace.removedAfter, trace.removedThrough])
        return try rows.map { row in
            .attached(
                try row["attached"], type: ImportUndo.name(try row["identifier"]),
                start: (try row["start"] as String?) ?? "")
        }
    }

    /// Returns later settings and saved samples of sources that the import added.
    private func sourceObstacles() throws -> [Obstacle] {
        var found: [Obstacle] = []
        let own = Set(trace.settings)
        for id in trace.newSources {
            let name = settings[.name, id] ?? ""
            let entry = trace.settings.first { $0.table == .source && $0.key == id }
            let isReceived = try isReceived(source: id)
            if settings[.source, id] != entry?.after, !isReceived {
                found.append(.identified(source: name))
            }
            let saved = try Int.readOne(
                db,
                sql: """
                    SELECT count(*) FROM sample WHERE sequence > ? AND uuid IS NOT NULL
                        AND uuid NOT IN (SELECT uuid FROM twin)
                        AND origin IN (SELECT id FROM origin WHERE source = ? AND route IS NULL)
                    """, arguments: [last, id])
            if let saved, saved > 0 { found.append(.saved(saved, source: name)) }
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
                    table: .sourceSetting, key: try row["key"], before: nil,
                    after: try row["value"])
                if own.contains(change) { continue }
                found.append(
                    .ordered(type: ImportUndo.name(try row["identifier"]), source: name))
            }
        }
        return found
    }

    private static func name(_ identifier: String) -> String {
        Catalogue.type(identifier: identifier)?.name ?? identifier
    }
}

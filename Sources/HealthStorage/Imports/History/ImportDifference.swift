import GRDB
public import HealthEngine

/// What one import changed, by type.
public struct ImportDifference: Sendable {
    /// Why a sample changed or vanished, where the two states tell.
    public enum Reason: String, CaseIterable, Sendable {
        /// Another value.
        case value
        /// Other metadata.
        case metadata
        /// Another version of its source, device or unit.
        case origin
        /// Another structured part, as a workout has.
        case details
        /// Other members of a correlation or workout.
        case members
        /// Gone, and the same source has another one that starts at the same moment.
        case retimed
        /// Gone, since a higher version of the same sync identifier came.
        case replaced
    }

    /// The changes of one type.
    public struct TypeChanges: Sendable {
        public var type: SampleType
        public var new = 0
        public var changed = 0
        /// Gone, those replaced by a higher version among them.
        public var vanished = 0
        /// The first and the last start among all these, in reference seconds.
        public var first = Double.infinity
        public var last = -Double.infinity
        /// How often each reason holds; a sample may have several, or none that is known.
        public var reasons: [Reason: Int] = [:]

        fileprivate mutating func cover(_ row: CheckedRow) throws {
            first = min(first, try row["first"])
            last = max(last, try row["last"])
        }
    }

    public var summary: ImportSummary
    /// Types of which something changed, by identifier.
    public var types: [TypeChanges]
    public var renamed: [SnapshotOutcome.Renaming]
    /// Sources that the import was the first to bring.
    public var newSources: [String]
    /// What the export says of the person otherwise than before, by Apple's identifiers.
    public var characteristics: [String]

    /// Samples that the import added, of all types.
    public var new: Int { types.reduce(0) { $0 + $1.new } }
    /// Samples that it changed.
    public var changed: Int { types.reduce(0) { $0 + $1.changed } }
    /// Samples that it no longer had.
    public var vanished: Int { types.reduce(0) { $0 + $1.vanished } }
}

extension SampleStore {
    /// What an import changed.
    ///
    /// ```swift
    /// let difference = try store.difference(ofImport: 2)
    /// difference.types.map { ($0.type.name, $0.new, $0.vanished) }   // [("stepCount", 311, 2)]
    /// ```
    /// What later imports took out again still counts as new; what a program has deleted since doesn't.
    /// Of an import that an early version made, renamed and new sources are not known.
    ///
    /// - Throws: ``ImportUndoError/unknown(_:)`` if there is no such import.
    /// - Complexity: O(changes of this and later imports).
    public func difference(ofImport number: Int64) throws -> ImportDifference {
        try read { db in try ImportComparison(db, number).difference() }
    }
}

/// Counts one import's changes from `sample` and `removed`.
private struct ImportComparison {
    let db: Database
    let summary: ImportSummary
    let trace: ImportTrace
    /// The numbers that the import gave, and the rows of `removed` that it wrote.
    let arguments: StatementArguments

    init(_ db: Database, _ number: Int64) throws {
        self.db = db
        guard
            let row = try CheckedRow.readOne(
                db,
                sql: "SELECT \(ImportSummary.columns), first_sequence, last_sequence, previous "
                    + "FROM import WHERE id = ?", arguments: [number])
        else { throw ImportUndoError.unknown(number) }
        summary = try ImportSummary(row)
        let kept = ImportTrace(try row["previous"])
        trace = try kept ?? ImportComparison.trace(ofImport: number, db)
        let spans = try trace.spans(from: try row["first_sequence"], to: try row["last_sequence"])
        arguments = [spans, trace.removedAfter, trace.removedThrough]
    }

    /// An import without a trace: where its removed rows lie, by looking at all.
    private static func trace(ofImport number: Int64, _ db: Database) throws -> ImportTrace {
        var trace = ImportTrace()
        let row = try CheckedRow.readOne(
            db, sql: "SELECT min(id) AS first, max(id) AS last FROM removed WHERE import = ?",
            arguments: [number])
        if let row, let first: Int64 = try row["first"], let last: Int64 = try row["last"] {
            (trace.removedAfter, trace.removedThrough) = (first &- 1, last)
        }
        return trace
    }

    func difference() throws -> ImportDifference {
        var types: [Int32: ImportDifference.TypeChanges] = [:]
        let known = try SampleStore.knownTypes(db)
        func each(
            _ sql: String, _ body: (inout ImportDifference.TypeChanges, CheckedRow) throws -> Void
        ) throws {
            for row in try CheckedRow.readAll(db, sql: sql, arguments: arguments) {
                guard let type = known[try row["type"]] else { continue }
                try body(&types[type.code, default: .init(type: type)], row)
            }
        }
        try each(ImportComparison.brought) { changes, row in
            changes.new += try row["samples"]
            try changes.cover(row)
        }
        try each(ImportComparison.removed) { changes, row in
            let count: Int = try row["samples"]
            try changes.cover(row)
            switch try row["reason"] as String {
            case "changed":
                changes.changed += count
                changes.new -= try row["stands"] as Int? ?? 0
            case "replaced":
                changes.vanished += count
                changes.reasons[.replaced, default: 0] += count
            default: changes.vanished += count
            }
        }
        try each(ImportComparison.reasons) { changes, row in
            for reason in ImportDifference.Reason.allCases where reason != .replaced {
                let count = try row[reason.rawValue] as Int? ?? 0
                if count > 0 { changes.reasons[reason, default: 0] += count }
            }
        }
        return ImportDifference(
            summary: summary,
            types: types.values.sorted { $0.type.identifier < $1.type.identifier },
            renamed: trace.renamed, newSources: trace.newSourceNames,
            characteristics: trace.settings.filter { $0.table == .characteristic }.map(\.key))
    }

    /// Rows that the import brought, live or taken out by a later import.
    private static let brought = """
        SELECT type, count(*) AS samples, min(start_time) AS first, max(start_time) AS last
        FROM (SELECT row.type, row.start_time FROM \(ImportTrace.rows(of: "sample", in: "?1"))
              UNION ALL SELECT row.type, row.start_time
              FROM \(ImportTrace.rows(of: "removed", in: "?1")) WHERE row.id > max(?2, ?3))
        GROUP BY type
        """

    /// Rows that it took out; `stands` of those that changed have their new state counted as brought.
    private static let removed = """
        SELECT r.type, reason, count(*) AS samples, min(r.start_time) AS first,
            max(r.start_time) AS last,
            sum(r.reason = 'changed' AND (
                EXISTS (SELECT 1 FROM sample s WHERE s.sequence = r.removed_sequence)
                OR r.removed_sequence IN (
                    SELECT row.sequence FROM \(ImportTrace.rows(of: "removed", in: "?1"))
                    WHERE row.id > ?3))) AS stands
        FROM removed r WHERE id > ?2 AND id <= ?3 GROUP BY r.type, reason
        """

    /// Values in one unit compare as they stand, in two by what they mean.
    private static let otherValue = """
        CASE WHEN a.unit IS b.unit OR ua.factor IS NULL OR ub.factor IS NULL
                OR r.value IS NULL OR s.value IS NULL
            THEN r.value IS NOT s.value
            ELSE abs(r.value * ua.factor + ua."offset" - s.value * ub.factor - ub."offset")
                > 1e-9 * abs(r.value * ua.factor + ua."offset") END
        """

    private static let reasons = """
        SELECT r.type, sum(\(otherValue)) AS value,
            sum(r.metadata IS NOT s.metadata) AS metadata,
            sum(r.origin <> s.origin) AS origin,
            sum(r.detail IS NOT d.content) AS details,
            sum(r.value IS s.value AND r.metadata IS s.metadata AND r.origin = s.origin
                AND r.detail IS d.content) AS members,
            0 AS retimed
        FROM removed r CROSS JOIN sample s ON s.sequence = r.removed_sequence
        LEFT JOIN detail d ON d.sequence = s.sequence
        LEFT JOIN origin a ON a.id = r.origin LEFT JOIN origin b ON b.id = s.origin
        LEFT JOIN unit ua ON ua.id = a.unit LEFT JOIN unit ub ON ub.id = b.unit
        WHERE r.id > ?2 AND r.id <= ?3 AND r.reason = 'changed'
        GROUP BY r.type
        UNION ALL
        SELECT r.type, 0, 0, 0, 0, 0, count(*)
        FROM removed r JOIN origin a ON a.id = r.origin
        WHERE r.id > ?2 AND r.id <= ?3 AND r.reason = 'vanished' AND EXISTS (
            SELECT 1 FROM sample s JOIN origin b ON b.id = s.origin
            WHERE s.type = r.type AND s.start_time = r.start_time AND b.source = a.source
                AND EXISTS (SELECT 1 FROM json_each(?1) span WHERE s.sequence
                            BETWEEN span.value ->> 0 AND span.value ->> 1))
        GROUP BY r.type
        """
}

extension ImportTrace {
    /// Sources that were there before and are called otherwise since.
    fileprivate var renamed: [SnapshotOutcome.Renaming] {
        settings.compactMap { change in
            guard change.table == .name, let from = change.before, let to = change.after else {
                return nil
            }
            return .init(from: from, to: to)
        }
    }

    fileprivate var newSourceNames: [String] {
        settings.compactMap { $0.table == .name && $0.before == nil ? $0.after : nil }.sorted()
    }
}

import GRDB
public import HealthEngine

/// The changes of one import, by type.
public struct ImportDifference: Sendable {
    /// Why a sample changed or vanished, as far as the two states show it.
    public enum Reason: String, CaseIterable, Sendable {
        /// The value changed.
        case value
        /// The metadata changed.
        case metadata
        /// The version of the source, the device or the unit changed.
        case origin
        /// The details changed, for example those of a workout.
        case details
        /// Only the members of a correlation or workout changed.
        case members
        /// The sample vanished, and the import brought another one of the same source and type with
        /// this start.
        case retimed
        /// The sample was replaced by a higher version with the same sync identifier.
        case replaced
    }

    /// The changes of one type.
    public struct TypeChanges: Sendable {
        /// The type.
        public var type: SampleType
        /// The number of added samples.
        public var new = 0
        /// The number of changed samples.
        public var changed = 0
        /// The number of samples that vanished, including those replaced by a higher version.
        public var vanished = 0
        /// The earliest start of these samples, in seconds since the reference date.
        public var first = Double.infinity
        /// The latest start of these samples, in seconds since the reference date.
        public var last = -Double.infinity
        /// The number of changed and vanished samples for each reason. A sample can have several
        /// reasons, or none.
        public var reasons: [Reason: Int] = [:]

        fileprivate mutating func extendRange(to row: CheckedRow) throws {
            first = min(first, try row["first"])
            last = max(last, try row["last"])
        }
    }

    /// The import.
    public var summary: ImportSummary
    /// The types with changes, in order of identifier.
    public var types: [TypeChanges]
    /// Sources that the import renamed.
    public var renamed: [SnapshotOutcome.Renaming]
    /// The names of the sources that the import added.
    public var newSources: [String]
    /// Apple's identifiers of the characteristics that the import changed. Added ones are not
    /// included.
    public var characteristics: [String]

    /// The number of added samples of all types.
    public var new: Int { types.reduce(0) { $0 + $1.new } }
    /// The number of changed samples of all types.
    public var changed: Int { types.reduce(0) { $0 + $1.changed } }
    /// The number of vanished samples of all types.
    public var vanished: Int { types.reduce(0) { $0 + $1.vanished } }
}

extension SampleStore {
    /// Returns the changes of an import.
    ///
    /// ```swift
    /// let difference = try store.difference(ofImport: 2)
    /// difference.types.map { ($0.type.name, $0.new, $0.vanished) }   // [("stepCount", 311, 2)]
    /// ```
    /// Samples that later imports removed still count as new. Samples that a program has deleted
    /// don't. For imports by early versions of this library, renamed and new sources and changed
    /// characteristics are missing.
    ///
    /// - Parameter number: ``ImportSummary/number`` of the import.
    /// - Returns: The changes by type.
    /// - Throws: ``ImportUndoError/unknown(_:)`` if there is no such import; ``StoreError`` if the
    ///   file can't be read.
    /// - Complexity: O(samples that this import added + samples that any import changed or
    ///   removed).
    public func difference(ofImport number: Int64) throws -> ImportDifference {
        try read { db in try ImportComparison(db, number).difference() }
    }
}

/// Counts the changes of one import in `sample` and `removed`.
struct ImportComparison {
    let db: Database
    let summary: ImportSummary
    let trace: ImportTrace
    /// The arguments of all queries. ?1: the ranges of the import's sequence numbers. ?2 and ?3:
    /// the import wrote the rows of `removed` with an id above ?2, up to ?3.
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
        let storedTrace = ImportTrace(try row["previous"])
        trace = try storedTrace ?? ImportComparison.trace(ofImport: number, db)
        let spans = try trace.spans(from: try row["first_sequence"], to: try row["last_sequence"])
        arguments = [spans, trace.removedAfter, trace.removedThrough]
    }

    /// Returns a substitute for a missing trace: only the range of the import's rows in `removed`,
    /// found by its number.
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
        func forEachRow(
            _ sql: String, _ body: (inout ImportDifference.TypeChanges, CheckedRow) throws -> Void
        ) throws {
            for row in try CheckedRow.readAll(db, sql: sql, arguments: arguments) {
                guard let type = known[try row["type"]] else { continue }
                try body(&types[type.code, default: .init(type: type)], row)
            }
        }
        try forEachRow(ImportComparison.addedRows) { changes, row in
            changes.new += try row["samples"]
            try changes.extendRange(to: row)
        }
        try forEachRow(ImportComparison.removed) { changes, row in
            let count: Int = try row["samples"]
            try changes.extendRange(to: row)
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
        try forEachRow(ImportComparison.reasons) { changes, row in
            for reason in ImportDifference.Reason.allCases where reason != .replaced {
                let count = try row[reason.rawValue] as Int? ?? 0
                if count > 0 { changes.reasons[reason, default: 0] += count }
            }
        }
        return ImportDifference(
            summary: summary,
            types: types.values.sorted { $0.type.identifier < $1.type.identifier },
            renamed: trace.renamed, newSources: trace.newSourceNames,
            characteristics: trace.settings.filter {
                $0.table == .characteristic && $0.before != nil
            }.map(\.key))
    }

    /// The rows that the import added, and the new states of those that it changed, whether still
    /// stored or removed by a later import.
    private static let addedRows = """
        SELECT type, count(*) AS samples, min(start_time) AS first, max(start_time) AS last
        FROM (SELECT row.type, row.start_time FROM \(ImportTrace.rows(of: "sample", in: "?1"))
              UNION ALL SELECT row.type, row.start_time
              FROM \(ImportTrace.rows(of: "removed", in: "?1")) WHERE row.id > max(?2, ?3))
        GROUP BY type
        """

    /// The rows that the import changed or removed. `stands` counts the changed ones whose new
    /// state is among the rows of ``addedRows``.
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

    /// An SQL condition: the values differ. Values in one unit must be equal; values in different
    /// units are converted and may differ by a billionth. Without a conversion they must be equal.
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
    /// The sources that existed before the import and that it renamed.
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

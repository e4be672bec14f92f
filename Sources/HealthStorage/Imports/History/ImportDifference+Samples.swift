import GRDB
public import HealthEngine

extension ImportDifference {
    /// A sample that an import added, changed or removed.
    public struct SampleChange: Sendable {
        /// What the import did.
        public enum Kind: String, CaseIterable, Sendable {
            /// The import added the sample.
            case new
            /// The import changed it.
            case changed
            /// The export no longer had it.
            case removed
            /// A higher version with the same sync identifier took its place.
            case replaced
        }

        /// What the import did.
        public var kind: Kind
        /// The type.
        public var type: SampleType
        /// The start, in seconds since the reference date.
        public var start: Double
        /// The end, in seconds since the reference date.
        public var end: Double
        /// The name of the source.
        public var source: String
        /// The value before the import; nil for a new sample, and for types without a value.
        public var before: Double?
        /// The value after the import; nil for a removed sample, for types without a value, and if
        /// the changed sample was changed or removed again since.
        public var after: Double?
        /// The unit of the values as recorded; nil without one. A change of the unit shows in
        /// ``afterUnit``.
        public var unit: String?
        /// The unit of the value after the import.
        public var afterUnit: String?
    }
}

extension SampleStore {
    /// Returns the samples that an import added, changed or removed, by start.
    ///
    /// - Parameters:
    ///   - number: ``ImportSummary/number`` of the import.
    ///   - limit: The largest number of samples.
    /// - Returns: The first samples in order of start; fewer than `limit` if there are no more.
    /// - Throws: ``ImportUndoError/unknown(_:)`` if there is no such import; ``StoreError`` if the
    ///   file can't be read.
    /// - Complexity: O(n log n) for n samples that this import touched.
    public func sampleChanges(
        ofImport number: Int64, limit: Int
    ) throws -> [ImportDifference.SampleChange] {
        try read { db in
            let known = try SampleStore.knownTypes(db)
            let comparison = try ImportComparison(db, number)
            return try CheckedRow.readAll(
                db, sql: "\(ImportComparison.touched) LIMIT \(max(0, limit))",
                arguments: comparison.arguments
            ).compactMap { row in
                guard let type = known[try row["type"]],
                    let kind = ImportDifference.SampleChange.Kind(rawValue: try row["kind"])
                else { return nil }
                return ImportDifference.SampleChange(
                    kind: kind, type: type, start: try row["start_time"],
                    end: try row["end_time"], source: try row["source"] as String? ?? "",
                    before: try row["before"], after: try row["after"], unit: try row["unit"],
                    afterUnit: try row["after_unit"])
            }
        }
    }
}

extension ImportComparison {
    /// The rows that the import added, changed or removed, with the values before and after.
    fileprivate static let touched = """
        WITH own AS (SELECT * FROM removed WHERE id > ?2 AND id <= ?3),
        added AS (
            SELECT row.sequence, row.type, row.start_time, row.end_time, row.origin, row.value
            FROM \(ImportTrace.rows(of: "sample", in: "?1"))
            UNION ALL
            SELECT row.sequence, row.type, row.start_time, row.end_time, row.origin, row.value
            FROM \(ImportTrace.rows(of: "removed", in: "?1")) WHERE row.id > max(?2, ?3)),
        changes AS (
            SELECT 'new' AS kind, type, start_time, end_time, origin, NULL AS before,
                value AS after, origin AS after_origin
            FROM added WHERE sequence NOT IN (
                SELECT removed_sequence FROM own WHERE reason = 'changed')
            UNION ALL
            SELECT CASE own.reason WHEN 'vanished' THEN 'removed' WHEN 'deleted' THEN 'removed'
                    ELSE own.reason END,
                own.type, own.start_time, own.end_time, own.origin, own.value, s.value, s.origin
            FROM own LEFT JOIN added s
                ON own.reason = 'changed' AND s.sequence = own.removed_sequence)
        SELECT changes.kind, changes.type, changes.start_time, changes.end_time,
            source.name AS source, changes.before, changes.after, ua.symbol AS unit,
            ub.symbol AS after_unit
        FROM changes LEFT JOIN origin a ON a.id = changes.origin
        LEFT JOIN origin b ON b.id = changes.after_origin
        LEFT JOIN source ON source.id = a.source
        LEFT JOIN unit ua ON ua.id = a.unit LEFT JOIN unit ub ON ub.id = b.unit
        ORDER BY changes.start_time, changes.type, changes.kind
        """
}

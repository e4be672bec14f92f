import GRDB
import HealthEngine

/// Finds samples by UUID. Saved samples have an index of UUIDs. The UUID of an imported sample
/// encodes its type, start and key, by which it is found.
final class StoredRows {
    struct FoundRow {
        var sequence: Int64
        var type: Int32
        /// The id of the source; 0 for none.
        var source: Int64
        var start: Double
        var end: Double
        var isImported: Bool
    }

    private enum Column: Int32, StatementField { case sequence, type, source, startTime, endTime }
    private enum ImportedParameter: Int32, StatementField { case type, from, to, key }

    private let findSaved: StoreStatement<SingleField, Column>
    private let findImported: StoreStatement<ImportedParameter, Column>

    init(_ db: Database) throws {
        let rows = "SELECT \(Column.columns) FROM sample JOIN origin ON origin.id = origin"
        findSaved = try StoreStatement(db, "\(rows) WHERE uuid = \(SingleField.value)")
        // A UUID encodes the start in whole milliseconds, so the exact start is within a
        // millisecond.
        findImported = try StoreStatement(
            db,
            "\(rows) WHERE type = \(ImportedParameter.type) "
                + "AND start_time BETWEEN \(ImportedParameter.from) AND \(ImportedParameter.to) "
                + "AND key = \(ImportedParameter.key) AND uuid IS NULL")
    }

    func find(_ uuid: SampleUUID) throws -> FoundRow? {
        try findSaved.bind(uuid, to: .value)
        defer { findSaved.reset() }
        if try findSaved.step() { return StoredRows.place(findSaved, isImported: false) }
        guard let place = uuid.importedIdentity else { return nil }
        try findImported.bind(place.type, to: .type)
        try findImported.bind(place.start - 0.001, to: .from)
        try findImported.bind(place.start + 0.001, to: .to)
        try findImported.bind(place.key, to: .key)
        defer { findImported.reset() }
        while try findImported.step() {
            let row = StoredRows.place(findImported, isImported: true)
            if ImportedIdentity.milliseconds(row.start)
                == ImportedIdentity.milliseconds(place.start)
            {
                return row
            }
        }
        return nil
    }

    /// Returns the row with a UUID.
    ///
    /// - Throws: ``StoreError`` of code `unknownSample` if it isn't stored.
    func require(_ uuid: SampleUUID) throws -> FoundRow {
        if let place = try find(uuid) { return place }
        throw StoreError(.unknownSample(uuid))
    }

    private static func place<Parameter>(
        _ row: borrowing StoreStatement<Parameter, Column>, isImported: Bool
    ) -> FoundRow {
        FoundRow(
            sequence: row.int(.sequence), type: Int32(truncatingIfNeeded: row.int(.type)),
            source: row.int(.source), start: row.double(.startTime), end: row.double(.endTime),
            isImported: isImported)
    }
}

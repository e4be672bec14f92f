import GRDB
import HealthEngine

/// Finds stored samples by UUID: own ones in their index, imported ones at the place it names.
final class StoredRows {
    struct Place {
        var sequence: Int64
        var type: Int32
        /// The source's number; 0 for none.
        var source: Int64
        var start: Double
        var end: Double
        var isImported: Bool
    }

    private static let columns =
        "sequence, type, source, start_time, end_time FROM sample JOIN origin ON origin.id = origin "
    private let findSaved: RawStatement
    private let findImported: RawStatement

    init(_ db: Database) throws {
        findSaved = try RawStatement(db, "SELECT " + StoredRows.columns + "WHERE uuid = ?")
        // A UUID holds the start to the millisecond.
        findImported = try RawStatement(
            db,
            "SELECT " + StoredRows.columns
                + "WHERE type = ? AND start_time BETWEEN ? AND ? AND key = ? AND uuid IS NULL")
    }

    func find(_ uuid: SampleUUID) throws -> Place? {
        findSaved.bind(uuid, at: 1)
        defer { findSaved.reset() }
        if try findSaved.step() { return StoredRows.place(findSaved, isImported: false) }
        guard let place = uuid.importedPlace else { return nil }
        findImported.bind(place.type, at: 1)
        findImported.bind(place.start - 0.001, at: 2)
        findImported.bind(place.start + 0.001, at: 3)
        findImported.bind(place.key, at: 4)
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

    /// - Throws: ``StoreError`` of code `unknownSample`.
    func require(_ uuid: SampleUUID) throws -> Place {
        if let place = try find(uuid) { return place }
        throw StoreError(.unknownSample, "No sample with the UUID \(uuid) is stored.")
    }

    private static func place(_ row: borrowing RawStatement, isImported: Bool) -> Place {
        Place(
            sequence: row.int(0), type: Int32(truncatingIfNeeded: row.int(1)), source: row.int(2),
            start: row.double(3), end: row.double(4), isImported: isImported)
    }
}

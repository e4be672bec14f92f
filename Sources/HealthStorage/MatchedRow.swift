import GRDB
import HealthEngine

/// A row of `sample` or `tombstone` with everything it names by number.
struct MatchedRow {
    /// With no index into a batch's metadata yet.
    var sample: Sample
    var uuid: SampleUUID
    /// The stored number of the metadata set; 0 for none.
    var metadata: Int64
    var isImported: Bool

    /// What ``init(_:_:)`` reads, in its order.
    static let columns =
        "sequence, type, start_time, key, end_time, created, origin, value, metadata, uuid"
    /// The same of `tombstone`, which has neither value nor moment of saving.
    static let tombstoneColumns =
        "sequence, type, start_time, key, end_time, NULL, origin, NULL, metadata, uuid"

    enum Kind { case sample, tombstone }

    /// - Throws: ``StoreError`` of code `corrupt` for a sample without a known origin.
    @inline(__always)
    init(
        _ row: borrowing RawStatement, _ table: SourceTable, of kind: Kind = .sample
    ) throws {
        let origin =
            kind == .sample
            ? try table.index(ofSamplesOrigin: row.int(6)) : table.index(ofOrigin: row.int(6))
        let type = Int32(truncatingIfNeeded: row.int(1))
        let (start, key) = (row.double(2), row.int(3))
        sample = Sample(
            type: type, origin: origin, start: start,
            end: row.double(4), created: row.doubleOrNaN(5), value: row.doubleOrNaN(7), key: key,
            sequence: row.int(0))
        metadata = row.int(8)
        if let own = row.uuid(9) {
            uuid = own
            isImported = false
        } else {
            uuid = SampleUUID(ofImportedType: type, start: start, key: key)
            isImported = true
        }
    }
}

/// A prepared statement that is made when it is first needed.
final class PreparedStatement {
    let raw: RawStatement

    init(_ db: Database, _ sql: String) throws { raw = try RawStatement(db, sql) }

    /// Runs the statement with one number; `read` is called with each row.
    func forEach(_ number: Int64, _ read: (borrowing RawStatement) throws -> Void) throws {
        raw.bind(number, at: 1)
        defer { raw.reset() }
        while try raw.step() { try read(raw) }
    }
}

/// Reads metadata sets by number, with one statement for all.
final class MetadataReader {
    private let find: PreparedStatement

    init(_ db: Database) throws {
        find = try PreparedStatement(db, "SELECT entries FROM metadata WHERE id = ?")
    }

    func metadata(_ id: Int64) throws -> Metadata {
        var entries: Metadata = [:]
        try find.forEach(id) { row in
            if let text = row.text(0) { entries = try StoredText.metadata(from: text) }
        }
        return entries
    }
}

import GRDB
import HealthEngine

/// A row of `sample` or `tombstone`, with its origin resolved and its UUID.
struct MatchedRow {
    /// The sample. Its index into a batch's metadata is not set.
    var sample: Sample
    var uuid: SampleUUID
    /// The id of the metadata; 0 for none.
    var metadata: Int64
    /// Whether the row has no UUID of its own, so that ``uuid`` is derived from its type, start and
    /// key.
    var isImported: Bool

    enum Column: Int32, StatementField {
        case sequence, type, startTime, key, endTime, created, origin, value, metadata, uuid

        /// The columns of `tombstone`, which has neither a value nor a creation time.
        static var ofTombstone: String { columns([.created: "NULL", .value: "NULL"]) }
    }

    enum Kind { case sample, tombstone }

    /// Reads a row of `sample`.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for a sample without a known origin.
    @inline(__always)
    init<Parameter>(_ row: borrowing StoreStatement<Parameter, Column>, _ table: SourceTable) throws
    {
        try self.init(row, table, of: .sample) { $0 }
    }

    /// Reads a row from a statement whose column enum contains these columns. A tombstone's unknown
    /// origin becomes -1.
    ///
    /// - Throws: ``StoreError`` of code `corrupt` for a sample without a known origin.
    @inline(__always)
    init<Parameter, ResultColumn>(
        _ row: borrowing StoreStatement<Parameter, ResultColumn>, _ table: SourceTable,
        of kind: Kind,
        as place: (Column) -> ResultColumn
    ) throws {
        let number = row.int(place(.origin))
        let origin =
            kind == .sample
            ? try table.index(ofSamplesOrigin: number) : table.index(ofOrigin: number)
        let type = Int32(truncatingIfNeeded: row.int(place(.type)))
        let (start, key) = (row.double(place(.startTime)), row.int(place(.key)))
        sample = Sample(
            type: type, origin: origin, start: start, end: row.double(place(.endTime)),
            created: row.doubleOrNaN(place(.created)), value: row.doubleOrNaN(place(.value)),
            key: key, sequence: row.int(place(.sequence)))
        metadata = row.int(place(.metadata))
        if let own = try row.uuid(place(.uuid)) {
            uuid = own
            isImported = false
        } else {
            uuid = SampleUUID(ofImportedType: type, start: start, key: key)
            isImported = true
        }
    }
}

/// A prepared statement with one integer parameter, usually a row id.
final class PreparedStatement<ResultColumn: StatementField> {
    private let statement: StoreStatement<SingleField, ResultColumn>

    init(_ db: Database, _ sql: String) throws { statement = try StoreStatement(kept: db, sql) }

    /// Runs the statement with a number, and calls `read` with each row.
    func forEach(
        _ number: Int64,
        _ read: (borrowing StoreStatement<SingleField, ResultColumn>) throws -> Void
    ) throws {
        try statement.bind(number, to: .value)
        defer { statement.reset() }
        while try statement.step() { try read(statement) }
    }
}

/// Reads metadata by id with one prepared statement.
final class MetadataReader {
    private let find: PreparedStatement<SingleField>

    init(_ db: Database) throws {
        find = try PreparedStatement(
            db, "SELECT entries FROM metadata WHERE id = \(SingleField.value)")
    }

    func metadata(_ id: Int64) throws -> Metadata {
        var entries: Metadata = [:]
        try find.forEach(id) { row in
            if let text = try row.text(.value) { entries = try StoredText.metadata(from: text) }
        }
        return entries
    }
}

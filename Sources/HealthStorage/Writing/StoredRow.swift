import GRDB
import HealthEngine

/// A row of `sample` without its UUID, with the JSON text of its details. A creation time or value
/// that is NULL is NaN.
struct StoredRow {
    var sequence: Int64
    var type: Int32
    var start: Double
    var key: Int64
    var end: Double
    var created: Double
    var origin: Int64
    /// The id of the metadata; 0 for none.
    var metadata: Int64
    var value: Double
    var detail: String?

    enum Column: Int32, StatementField {
        case sequence, type, startTime, key, endTime, created, origin, metadata, value
    }

    enum DetailColumn: Int32, StatementField { case sequence, content }

    init<Parameter>(_ row: borrowing StoreStatement<Parameter, Column>) { self.init(row) { $0 } }

    /// Reads a row, without details, from a statement whose column enum contains these columns.
    @inline(__always)
    init<Parameter, ResultColumn>(
        _ row: borrowing StoreStatement<Parameter, ResultColumn>, as place: (Column) -> ResultColumn
    ) {
        sequence = row.int(place(.sequence))
        type = Int32(truncatingIfNeeded: row.int(place(.type)))
        start = row.double(place(.startTime))
        key = row.int(place(.key))
        end = row.double(place(.endTime))
        created = row.doubleOrNaN(place(.created))
        origin = row.int(place(.origin))
        metadata = row.int(place(.metadata))
        value = row.doubleOrNaN(place(.value))
    }

    init(
        sequence: Int64, type: Int32, start: Double, key: Int64, end: Double, created: Double,
        origin: Int64, metadata: Int64, value: Double, detail: String?
    ) {
        self.sequence = sequence
        self.type = type
        self.start = start
        self.key = key
        self.end = end
        self.created = created
        self.origin = origin
        self.metadata = metadata
        self.value = value
        self.detail = detail
    }

    func bind<ResultColumn>(
        to statement: borrowing StoreStatement<Column, ResultColumn>, row: Int32 = 0
    ) throws {
        try bind(to: statement, row: row) { $0 }
    }

    /// Binds the row, without details, to a statement whose parameter enum contains these columns.
    @inline(__always)
    func bind<Parameter, ResultColumn>(
        to statement: borrowing StoreStatement<Parameter, ResultColumn>, row: Int32 = 0,
        as place: (Column) -> Parameter
    ) throws {
        try statement.bind(sequence, to: place(.sequence), row: row)
        try statement.bind(type, to: place(.type), row: row)
        try statement.bind(start, to: place(.startTime), row: row)
        try statement.bind(key, to: place(.key), row: row)
        try statement.bind(end, to: place(.endTime), row: row)
        try statement.bind(orNull: created, to: place(.created), row: row)
        try statement.bind(origin, to: place(.origin), row: row)
        if metadata == 0 {
            try statement.bindNull(to: place(.metadata), row: row)
        } else {
            try statement.bind(metadata, to: place(.metadata), row: row)
        }
        try statement.bind(orNull: value, to: place(.value), row: row)
    }
}

/// Inserts rows into `sample`, eight with each statement to save the overhead of running one.
final class RowInsertion {
    private static let rowsPerStatement: Int32 = 8

    private let insertOne: StoreStatement<StoredRow.Column, NoFields>
    private let insertAll: StoreStatement<StoredRow.Column, NoFields>
    private let insertDetail: StoreStatement<StoredRow.DetailColumn, NoFields>
    private var pending: [StoredRow] = []

    init(_ db: Database) throws {
        insertOne = try StoreStatement(db, "INSERT INTO sample \(StoredRow.Column.inserted)")
        insertAll = try StoreStatement(
            db, "INSERT INTO sample \(StoredRow.Column.inserted(rows: Self.rowsPerStatement))",
            rows: Self.rowsPerStatement)
        insertDetail = try StoreStatement(
            db, "INSERT INTO detail \(StoredRow.DetailColumn.inserted)")
        pending.reserveCapacity(Int(Self.rowsPerStatement))
    }

    /// Adds a row with its details to the waiting rows. When eight rows wait, all are inserted with
    /// one statement. ``finish()`` inserts the remaining ones.
    func add(_ row: StoredRow) throws {
        pending.append(row)
        if pending.count == Int(Self.rowsPerStatement) {
            for index in pending.indices {
                try pending[index].bind(to: insertAll, row: Int32(index))
            }
            try insertAll.run()
            try addDetails()
        }
    }

    /// Whether a buffered row has details.
    var hasDetails: Bool { pending.contains { $0.detail != nil } }

    /// Inserts the buffered rows.
    func finish() throws {
        for row in pending {
            try row.bind(to: insertOne)
            try insertOne.run()
        }
        try addDetails()
    }

    private func addDetails() throws {
        for row in pending {
            guard let detail = row.detail else { continue }
            try insertDetail.bind(row.sequence, to: .sequence)
            try insertDetail.bind(detail, to: .content)
            try insertDetail.run()
        }
        pending.removeAll(keepingCapacity: true)
    }
}

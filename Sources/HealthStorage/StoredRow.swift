import GRDB
import HealthEngine

/// A row of `sample` as it stands in the file, with the text of its structured part.
struct StoredRow {
    var sequence: Int64
    var type: Int32
    var start: Double
    var key: Int64
    var end: Double
    var created: Double
    var origin: Int64
    /// 0 for none.
    var metadata: Int64
    var value: Double
    var detail: String?

    static let columns =
        "sequence, type, start_time, key, end_time, created, origin, metadata, value"

    static let columnCount = 9

    /// Reads the columns above, in their order.
    init(_ row: borrowing RawStatement) {
        sequence = row.int(0)
        type = Int32(truncatingIfNeeded: row.int(1))
        start = row.double(2)
        key = row.int(3)
        end = row.double(4)
        created = row.doubleOrNaN(5)
        origin = row.int(6)
        metadata = row.int(7)
        value = row.doubleOrNaN(8)
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

    /// Binds the columns above to the nine parameters behind the first `skipped` ones.
    func bind(to statement: borrowing RawStatement, from skipped: Int32 = 0) {
        statement.bind(sequence, at: skipped + 1)
        statement.bind(type, at: skipped + 2)
        statement.bind(start, at: skipped + 3)
        statement.bind(key, at: skipped + 4)
        statement.bind(end, at: skipped + 5)
        statement.bind(orNull: created, at: skipped + 6)
        statement.bind(origin, at: skipped + 7)
        if metadata == 0 {
            statement.bindNull(at: skipped + 8)
        } else {
            statement.bind(metadata, at: skipped + 8)
        }
        statement.bind(orNull: value, at: skipped + 9)
    }
}

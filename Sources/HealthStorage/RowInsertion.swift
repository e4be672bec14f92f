import GRDB

/// Adds rows to `sample`, eight at a time: a statement begins and ends once for all of them.
final class RowInsertion {
    private static let together = 8

    private let insertOne: RawStatement
    private let insertAll: RawStatement
    private let insertDetail: RawStatement
    private var waiting: [StoredRow] = []

    init(_ db: Database) throws {
        let places = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
        let sql = "INSERT INTO sample (\(StoredRow.columns)) VALUES "
        insertOne = try RawStatement(db, sql + places)
        insertAll = try RawStatement(
            db, sql + Array(repeating: places, count: Self.together).joined(separator: ", "))
        insertDetail = try RawStatement(db, "INSERT INTO detail (sequence, content) VALUES (?, ?)")
        waiting.reserveCapacity(Self.together)
    }

    /// Takes a row with its structured part; it is in the table after ``finish()`` at the latest.
    func add(_ row: StoredRow) throws {
        waiting.append(row)
        if waiting.count == Self.together {
            for index in waiting.indices {
                waiting[index].bind(to: insertAll, from: Int32(index * StoredRow.columnCount))
            }
            try insertAll.run()
            try addDetails()
        }
    }

    /// Writes what has waited.
    func finish() throws {
        for row in waiting {
            row.bind(to: insertOne)
            try insertOne.run()
        }
        try addDetails()
    }

    private func addDetails() throws {
        for row in waiting {
            guard let detail = row.detail else { continue }
            insertDetail.bind(row.sequence, at: 1)
            try insertDetail.bind(detail, at: 2)
            try insertDetail.run()
        }
        waiting.removeAll(keepingCapacity: true)
    }
}

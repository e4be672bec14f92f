import GRDB
import HealthEngine

/// Counts the stored samples of types without reading each.
enum SampleCount {
    /// Returns the codes of the types that have samples, in ascending order.
    ///
    /// - Complexity: O(types · log samples): a search for each, since a type can have millions.
    static func types(_ db: Database) throws -> [Int32] {
        try Int32.readAll(
            db,
            sql: """
                WITH RECURSIVE used (type) AS (
                    SELECT min(type) FROM sample
                    UNION ALL
                    SELECT (SELECT min(sample.type) FROM sample WHERE sample.type > used.type)
                    FROM used WHERE used.type IS NOT NULL)
                SELECT type FROM used WHERE type IS NOT NULL
                """)
    }

    /// Returns the number of samples of each type that has some, in ascending order of code.
    ///
    /// - Complexity: O(segments + samples outside them).
    static func all(_ db: Database) throws -> [(type: Int32, samples: Int)] {
        let rows = try StoreStatement<SegmentSpan, SingleField>(
            db,
            "SELECT count(*) FROM sample INDEXED BY sample_order "
                + SegmentSpan.condition)
        return try types(db).map { type in (type, try count(type, rows, db)) }
    }

    private static func count(
        _ type: Int32, _ rows: borrowing StoreStatement<SegmentSpan, SingleField>, _ db: Database
    ) throws -> Int {
        var (samples, from) = (0, SegmentPosition.first)
        func countRows(until: SegmentPosition) throws {
            guard from < until else { return }
            try rows.bind(type, from, until)
            defer { rows.reset() }
            if try rows.step() { samples += Int(clamping: rows.int(.value)) }
        }
        for segment in try SegmentRange.all(of: type, db) {
            try countRows(until: segment.from)
            samples += segment.count
            from = segment.until
        }
        try countRows(until: .last)
        return samples
    }
}

import GRDB
package import HealthEngine

// Where the store has totals of Apple's, without their values.
extension SampleStore {
    /// Returns the range of Apple's totals of a type over all sources.
    ///
    /// - Parameter type: The type.
    /// - Returns: The start of the first and the end of the last interval, in reference seconds; nil
    ///   without totals, and for types that aren't cumulative.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n + intervals of the last day).
    package func receivedTotalsExtent(
        of type: SampleType
    ) throws -> (start: Double, end: Double)? {
        guard type.aggregation == .cumulative else { return nil }
        return try read { db in try SampleStore.totalsExtent(of: type, db) }
    }

    /// Returns the cumulative types with totals of Apple's over all sources.
    ///
    /// - Returns: The types, in order of identifier.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(types × log n).
    package func typesWithReceivedTotals() throws -> [SampleType] {
        try read { db in
            // Each step seeks the next type in the primary key.
            let codes = try Int32.readAll(
                db,
                sql: """
                    WITH RECURSIVE present (type) AS (
                        SELECT min(type) FROM external_total
                        UNION ALL
                        SELECT (SELECT min(next.type) FROM external_total AS next
                                WHERE next.type > present.type)
                        FROM present WHERE type IS NOT NULL)
                    SELECT type FROM present WHERE type IS NOT NULL
                    """)
            return try codes.compactMap { Catalogue.type(code: $0) }
                .filter { $0.aggregation == .cumulative }
                .filter { try SampleStore.totalsExtent(of: $0, db) != nil }
                .sorted { $0.identifier < $1.identifier }
        }
    }

    /// Returns a text that changes when totals arrive, or a request that can make samples complete;
    /// empty if the store has no totals.
    ///
    /// Totals have no sequence number, so ``lastSequence`` doesn't change with them. The text depends
    /// on the last 100 receipts: every request has one, and a resumed request is among the last ones.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    package func receivedTotalsStamp() throws -> String {
        try read { db in
            try String.readOne(
                db,
                sql: """
                    SELECT ifnull(max(id), 0) || '.' || ifnull(sum(position), 0) || '.'
                        || ifnull(sum(is_complete), 0)
                    FROM (SELECT id, position, is_complete FROM receipt ORDER BY id DESC LIMIT 100)
                    WHERE EXISTS (SELECT 1 FROM external_total)
                    HAVING count(*) > 0
                    """) ?? ""
        }
    }

    static func totalsExtent(
        of type: SampleType, _ db: Database
    ) throws -> (start: Double, end: Double)? {
        let condition = "type = ? AND statistic = 'sum' AND source = ''"
        func start(_ order: String) throws -> Double? {
            try Double.readOne(
                db,
                sql: "SELECT start_time FROM external_total WHERE \(condition) "
                    + "ORDER BY start_time \(order) LIMIT 1", arguments: [type.code])
        }
        guard let first = try start("ASC"), let last = try start("DESC") else { return nil }
        // The total of a day can end after that of its last hour. Longer ones answer nothing.
        let end = try Double.readOne(
            db,
            sql: "SELECT max(end_time) FROM external_total WHERE \(condition) "
                + "AND start_time >= ?", arguments: [type.code, last - 90_000])
        return end.map { (first, $0) }
    }
}

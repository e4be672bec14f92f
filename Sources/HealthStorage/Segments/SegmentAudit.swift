import GRDB
import HealthEngine

/// Compares segments with the rows that they stand for.
enum SegmentAudit {
    /// How many segments differ from their rows or can't be read, or claim what another does.
    ///
    /// - Complexity: O(samples).
    static func wrongSegments(_ db: Database) throws -> Int {
        let types = try Int32.readAll(db, sql: "SELECT DISTINCT type FROM segment")
        let rows = try RawStatement(
            db,
            "SELECT start_time, end_time, created, origin, value FROM sample "
                + "\(SegmentPlace.condition) ORDER BY start_time, key")
        let contents = try RawStatement(db, "SELECT content FROM segment WHERE id = ?")
        var wrong = 0
        for type in types {
            var end = SegmentPlace.first
            for claim in try SegmentClaim.all(of: type, db) {
                contents.bind(claim.id, at: 1)
                rows.bind(type, claim.from, claim.until)
                defer {
                    contents.reset()
                    rows.reset()
                }
                let isApart = end <= claim.from && claim.from < claim.until
                guard isApart, try contents.step(), try agree(contents, rows, claim) else {
                    wrong += 1
                    continue
                }
                end = claim.until
            }
        }
        return wrong
    }

    private static func agree(
        _ content: borrowing RawStatement, _ rows: borrowing RawStatement, _ claim: SegmentClaim
    ) throws -> Bool {
        var columns = SampleColumns()
        do {
            // Origins keep their stored numbers: all that occur are small.
            try content.withBytes(0) { bytes in
                try PackedColumns.read(bytes, into: &columns) { Int32(truncatingIfNeeded: $0) }
            }
        } catch is StoreError {
            return false
        }
        var index = 0
        while try rows.step() {
            guard index < columns.count else { return false }
            let sample = columns.sample(index, type: 0)
            let knowsCreation = index < columns.created.count
            let isEqual =
                sample.start == rows.double(0) && sample.end == rows.double(1)
                && Int64(sample.origin) == rows.int(3)
                && sample.value.bitPattern == rows.doubleOrNaN(4).bitPattern
                && (!knowsCreation
                    || sample.created.bitPattern == rows.doubleOrNaN(2).bitPattern)
            guard isEqual else { return false }
            index += 1
        }
        return index == columns.count && index == claim.count
    }
}

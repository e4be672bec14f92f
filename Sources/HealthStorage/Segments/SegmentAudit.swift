import GRDB
import HealthEngine

/// Compares segments with the rows that they cover.
enum SegmentAudit {
    private typealias Rows = StoreStatement<SegmentSpan, Column>
    private typealias Contents = StoreStatement<SingleField, SingleField>
    private enum Column: Int32, StatementField { case startTime, endTime, created, origin, value }

    /// Returns the number of segments that differ from the rows in their range, are unreadable,
    /// overlap another or have an empty range.
    ///
    /// - Complexity: O(samples).
    static func wrongSegments(_ db: Database) throws -> Int {
        let types = try Int32.readAll(db, sql: "SELECT DISTINCT type FROM segment")
        let rows = try Rows(
            db,
            "SELECT \(Column.columns) FROM sample \(SegmentSpan.condition) "
                + "ORDER BY start_time, key")
        let contents = try Contents(
            db, "SELECT content FROM segment WHERE id = \(SingleField.value)")
        var wrong = 0
        for type in types {
            var end = SegmentPosition.first
            for segment in try SegmentRange.all(of: type, db) {
                try contents.bind(segment.id, to: .value)
                try rows.bind(type, segment.from, segment.until)
                defer {
                    contents.reset()
                    rows.reset()
                }
                let isDisjoint = end <= segment.from && segment.from < segment.until
                guard isDisjoint, try contents.step(), try agree(contents, rows, segment) else {
                    wrong += 1
                    continue
                }
                end = segment.until
            }
        }
        return wrong
    }

    private static func agree(
        _ content: borrowing Contents, _ rows: borrowing Rows, _ segment: SegmentRange
    ) throws -> Bool {
        var columns = SampleColumns()
        do {
            // Origins are compared by id, so the id is used as the index. All valid ids fit.
            try content.withBytes(.value) { bytes in
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
                sample.start == rows.double(.startTime) && sample.end == rows.double(.endTime)
                && Int64(sample.origin) == rows.int(.origin)
                && sample.value.bitPattern == rows.doubleOrNaN(.value).bitPattern
                && (!knowsCreation
                    || sample.created.bitPattern == rows.doubleOrNaN(.created).bitPattern)
            guard isEqual else { return false }
            index += 1
        }
        // Without its creation date, the last sample can't be compared with one of the same start.
        let isComparable =
            columns.created.count == columns.count
            || columns.start.last ?? -.infinity < segment.until.start
        return index == columns.count && index == segment.count && isComparable
    }
}

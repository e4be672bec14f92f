import GRDB
import HealthEngine

/// The newest edits of samples, numbered without a gap; triggers write it (`Schema+Segments`).
enum EditLog {
    /// The number of the newest edit; 0 before the first.
    static func last(_ db: Database) throws -> Int64 {
        try Int64.readOne(db.cachedStatement(sql: "SELECT max(id) FROM edit")) ?? 0
    }

    /// Leaves a gap, so that whoever remembers an answer learns that it has missed more than there is.
    static func skip(_ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO edit SELECT ifnull(max(id), 0) + 2, 0, 0, 0 FROM edit")
    }

    /// When samples of a type began and ended that were added, changed or taken away after an edit; nil
    /// if not all edits since are kept.
    static func spans(
        ofType type: Int32, after edit: Int64, _ db: Database
    ) throws -> [ClosedRange<Double>]? {
        let newest = try last(db)
        if newest == edit { return [] }
        let kept = try Int64.readOne(
            db.cachedStatement(sql: "SELECT count(*) FROM edit WHERE id > ?"), arguments: [edit])
        guard newest > edit, kept == newest - edit else { return nil }
        return try CheckedRow.readAll(
            db.cachedStatement(
                sql: "SELECT start_time, end_time FROM edit WHERE id > ? AND type = ?"),
            arguments: [edit, type]
        ).map { row in
            let (start, end): (Double, Double) = (try row[0], try row[1])
            return start...(end == Sample.undeterminedEnd ? start : max(start, end))
        }
    }
}

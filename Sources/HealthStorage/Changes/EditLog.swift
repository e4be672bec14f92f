import GRDB
import HealthEngine

/// The log of the newest edits of samples. Triggers write it, see `Schema+Segments`. Ids are
/// consecutive, except where ``skip(_:)`` leaves a gap.
enum EditLog {
    /// Returns the id of the newest edit; 0 before the first.
    static func last(_ db: Database) throws -> Int64 {
        try Int64.readOne(db.cachedStatement(sql: "SELECT max(id) FROM edit")) ?? 0
    }

    /// Leaves a gap of one id, after samples were changed without triggers. Caches then find that
    /// edits are missing and discard their contents.
    static func skip(_ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO edit SELECT ifnull(max(id), 0) + 2, 0, 0, 0 FROM edit")
    }

    /// Returns the times (start and end, both inclusive) of the samples of a type that were
    /// inserted, updated or deleted after an edit. An undetermined end counts as the start.
    ///
    /// Returns nil if the log no longer has all edits since then.
    static func spans(
        ofType type: Int32, after edit: Int64, _ db: Database
    ) throws -> [ClosedRange<Double>]? {
        let newest = try last(db)
        if newest == edit { return [] }
        let count = try Int64.readOne(
            db.cachedStatement(sql: "SELECT count(*) FROM edit WHERE id > ?"), arguments: [edit])
        guard newest > edit, count == newest - edit else { return nil }
        return try CheckedRow.readAll(
            db.cachedStatement(
                sql: "SELECT start_time, end_time FROM edit WHERE id > ? AND type = ?"),
            arguments: [edit, type]
        ).map { row in
            let (start, end): (Double, Double) = (
                try row["start_time"], try row["end_time"]
            )
            return start...(end == Sample.undeterminedEnd ? start : max(start, end))
        }
    }
}

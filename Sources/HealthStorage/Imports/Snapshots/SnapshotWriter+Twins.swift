import GRDB
import HealthEngine

extension SnapshotWriter {
    /// Makes one sample of each record of this file and the sample that a device sent of it
    /// (Semantics §15). The file's new rows that are dropped count as unchanged.
    func resolveTwins() throws {
        guard try Int.readOne(db, sql: "SELECT 1 FROM intake_route LIMIT 1") != nil else { return }
        try dropKnownTwins()
        _ = try SourceUnification(db).run()
        let resolution = try TwinResolution(db, importing: (mark, importID)) { [self] in
            next += 1
            return next
        }
        let sources = try Int64.readAll(
            db,
            sql: "SELECT DISTINCT source FROM origin WHERE route IS NOT NULL AND source IS NOT NULL"
        )
        for window in try TwinCandidates.windows(ofSources: sources, db) {
            try stopIfCancelled()
            try resolution.resolve(window)
        }
        try resolution.resolveWorkouts()
        for (type, count) in resolution.outcome.dropped { countUnchanged(count, type) }
        outcome.notApplied += resolution.outcome.deleted
    }

    private enum Column: Int32, StatementField {
        case sequence, type, uuid

        var sql: String {
            switch self {
            case .sequence: "sample.sequence"
            case .type: "sample.type"
            case .uuid: "twin.uuid"
            }
        }
    }

    /// Drops new rows whose twin an earlier import has found. If the twin was deleted on the phone,
    /// the record isn't applied.
    private func dropKnownTwins() throws {
        let rows = try StoreStatement<SingleField, Column>(
            db,
            """
            SELECT \(Column.columns) FROM twin CROSS JOIN sample ON sample.type = twin.type
                AND sample.start_time = twin.start_time AND sample.key = twin.key
            WHERE sample.sequence > \(SingleField.value) AND sample.uuid IS NULL
            """)
        try rows.bind(mark, to: .value)
        var known: [(sequence: Int64, type: Int32, uuid: SampleUUID)] = []
        while try rows.step() {
            try checkCancellation()
            guard let uuid = try rows.uuid(.uuid) else { continue }
            known.append(
                (rows.int(.sequence), Int32(truncatingIfNeeded: rows.int(.type)), uuid))
        }
        for row in known {
            let stored = try Int64.readOne(
                db.cachedStatement(sql: "SELECT sequence FROM sample WHERE uuid = ?"),
                arguments: [row.uuid.blob])
            if let stored {
                for sql in TwinResolution.membershipTransfer {
                    try db.cachedStatement(sql: sql).execute(arguments: [row.sequence, stored])
                }
            } else {
                outcome.notApplied += 1
            }
            try db.cachedStatement(sql: "DELETE FROM sample WHERE sequence = ?")
                .execute(arguments: [row.sequence])
            countUnchanged(1, row.type)
        }
    }

    private func countUnchanged(_ count: Int, _ type: Int32) {
        outcome[kind(type)].new -= count
        outcome[kind(type)].unchanged += count
    }
}

import GRDB
import HealthEngine

extension SnapshotWriter {
    /// Finds for each record inside a correlation or workout its twin at top level, each twin once;
    /// a record without one is a sample of its own (apple-health-export §2.3).
    func settleNested() throws {
        let rows = try RawStatement(
            db,
            "SELECT rowid, type, start_time, key, end_time, created, origin, metadata, value, parent, "
                + "detail FROM temp.nested ORDER BY rowid")
        var consumed: Set<Int64> = []
        while try rows.step() {
            var row = StoredRow(rows)
            let parent = rows.int(9)
            row.detail = rows.text(10)
            row.sequence = 0
            let child: Int64
            if let twin = try twin(of: row, besides: consumed) {
                outcome[kind(row.type)].repeated += 1
                child = twin
            } else {
                child = try take(row)
            }
            consumed.insert(child)
            if parent == 0 { continue }
            try db.execute(
                sql: "INSERT OR IGNORE INTO temp.link (parent, child) VALUES (?, ?)",
                arguments: [parent, child])
        }
    }

    /// A row of this file with the same attributes that no other member has taken.
    private func twin(of row: StoredRow, besides consumed: Set<Int64>) throws -> Int64? {
        let place = GroupPlace(
            type: row.type, start: row.start, base: ImportedIdentity.base(row.key))
        var equal: Int64?
        for candidate in try group(at: place) {
            guard candidate.sequence > mark || seen.contains(candidate.sequence),
                !consumed.contains(candidate.sequence)
            else { continue }
            var stripped = candidate
            stripped.metadata = row.metadata
            stripped.detail = row.detail
            guard try facts.sameContent(stripped, row) else { continue }
            if candidate.metadata == row.metadata { return candidate.sequence }
            equal = equal ?? candidate.sequence
        }
        return equal
    }

    /// Writes what belongs to what; a correlation whose members changed is a change of its own.
    func settleMemberships() throws {
        let parents = try Int64.fetchAll(
            db, sql: "SELECT DISTINCT parent FROM temp.link ORDER BY parent")
        for parent in parents {
            let members = try Int64.fetchAll(
                db, sql: "SELECT child FROM temp.link WHERE parent = ? ORDER BY child",
                arguments: [parent])
            if parent <= mark {
                let old = try Int64.fetchAll(
                    db, sql: "SELECT child FROM membership WHERE parent = ? ORDER BY child",
                    arguments: [parent])
                if old == members { continue }
                if outcome.kind != .snapshot {
                    outcome.notApplied += 1
                    continue
                }
                try db.execute(sql: "DELETE FROM membership WHERE parent = ?", arguments: [parent])
            }
            for member in members {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO membership (parent, child) VALUES (?, ?)",
                    arguments: [parent, member])
            }
            if parent <= mark { try renumber(parent) }
        }
    }

    /// A row whose membership changed takes the next number, so that watchers see it.
    private func renumber(_ sequence: Int64) throws {
        next += 1
        try db.execute(
            sql: "UPDATE sample SET sequence = ? WHERE sequence = ?", arguments: [next, sequence])
        let type = try Int32.fetchOne(
            db, sql: "SELECT type FROM sample WHERE sequence = ?", arguments: [next])
        if let type {
            outcome[kind(type)].unchanged -= 1
            outcome[kind(type)].changed += 1
        }
    }
}

import Foundation
import GRDB
import HealthEngine

extension SnapshotWriter {
    /// Settles what could not be decided before the end of the file.
    ///
    /// - Parameter completeness: Whether any element was lost.
    /// - Returns: What became of every element.
    public func finish(_ completeness: SnapshotCompleteness) throws -> SnapshotOutcome {
        outcome.kind =
            completeness == .damaged ? .partial : isLatest ? .snapshot : .addition
        if isFirst { try db.execute(sql: Schema.orderIndex) }
        if !isFirst { try settleRenamedSources() }
        try settleNested()
        if isFirst { try collectEqualIdentities() }
        for place in contested.sorted(by: {
            ($0.type, $0.start, $0.base) < ($1.type, $1.start, $1.base)
        }) {
            try settle(place)
        }
        if !isFirst, outcome.kind != .snapshot { try leaveRemovedAlone() }
        try settleMemberships()
        if !isFirst, outcome.kind == .snapshot { try removeVanished() }
        try settleCharacteristics()
        try describeSources()
        try setDayTotalsAside()
        try close()
        return outcome
    }

    /// Keeps the import's own account of itself.
    public func record(ledger: String) throws {
        try db.execute(
            sql: "UPDATE import SET ledger = ? WHERE id = ?", arguments: [ledger, importID])
    }

    private func close() throws {
        for (code, count) in typeCounts where count > 0 {
            let identifier =
                try String.fetchOne(
                    db, sql: "SELECT identifier FROM type WHERE code = ?", arguments: [code]) ?? ""
            outcome.types[identifier] = count
        }
        outcome.equals.sort { ($0.type, $0.source) < ($1.type, $1.source) }
        try SampleStore.set(.lastSequence, to: next, db)
        try db.execute(
            sql: "UPDATE import SET kind = ?, last_sequence = ? WHERE id = ?",
            arguments: [outcome.kind.rawValue, next, importID])
        try db.execute(sql: "DROP TABLE temp.nested; DROP TABLE temp.link;")
    }

    // MARK: - Groups of equal identity

    /// After a first load: the groups that hold more than one record.
    private func collectEqualIdentities() throws {
        let rows = try RawStatement(
            db, "SELECT type, start_time, key FROM sample ORDER BY type, start_time, key")
        var last: GroupPlace?
        while try rows.step() {
            let place = GroupPlace(
                type: Int32(truncatingIfNeeded: rows.int(0)), start: rows.double(1),
                base: ImportedIdentity.base(rows.int(2)))
            if place == last { contested.insert(place) }
            last = place
        }
    }

    /// Gives the records of one identity their occurrence numbers, by canonical value, and compares
    /// them one by one with what the store had under these numbers.
    private func settle(_ place: GroupPlace) throws {
        let rows = try group(at: place)
        let old = rows.filter { $0.sequence <= mark }
        let fresh = rows.filter { $0.sequence > mark }
        let file = try inOrderOfValue(fresh + old.filter { seen.contains($0.sequence) })
        guard file.count <= Int(ImportedIdentity.maximumOccurrence) else {
            throw StoreError(
                .invalidArgument,
                "More than \(ImportedIdentity.maximumOccurrence) records of one type have the same "
                    + "times and source; the file is not imported.")
        }
        try countEquals(file)
        let kind = kind(place.type)
        outcome[kind].new -= fresh.count
        outcome[kind].unchanged -= file.count - fresh.count
        var settlement = Settlement(unused: fresh)
        if outcome.kind == .snapshot {
            try settleAsTruth(place, file, old, &settlement)
        } else {
            try settleAsAddition(place, file, old, &settlement)
        }
        for row in settlement.unused {
            try discard(row, insteadUse: settlement.standIns[row.sequence])
        }
    }

    private struct Settlement {
        /// New rows that no occurrence has taken.
        var unused: [StoredRow]
        /// Old rows that stand for discarded new ones.
        var standIns: [Int64: Int64] = [:]
    }

    /// The newest complete file is right: occurrence by occurrence.
    private func settleAsTruth(
        _ place: GroupPlace, _ file: [StoredRow], _ old: [StoredRow], _ settlement: inout Settlement
    ) throws {
        let kind = kind(place.type)
        // Old rows move out of the way first, so that no two rows ever hold one key.
        var kept: [Int: StoredRow] = [:]
        for row in old {
            let occurrence = Int(ImportedIdentity.occurrence(row.key))
            if occurrence < file.count, try facts.sameContent(row, file[occurrence]) {
                kept[occurrence] = row
                seen.insert(row.sequence)
            }
        }
        for (occurrence, record) in file.enumerated() {
            if let row = kept[occurrence] {
                outcome[kind].unchanged += 1
                if record.sequence > mark { settlement.standIns[record.sequence] = row.sequence }
                continue
            }
            let replaced = old.first { Int(ImportedIdentity.occurrence($0.key)) == occurrence }
            let sequence = try freshRow(for: record, &settlement)
            if let replaced {
                outcome[kind].changed += 1
                try move(replaced, to: .changed, at: sequence)
            } else {
                outcome[kind].new += 1
            }
            try setKey(place.base + Int64(occurrence), of: sequence)
        }
    }

    /// Any other file only adds what was never seen: records beyond those the store has or had.
    private func settleAsAddition(
        _ place: GroupPlace, _ file: [StoredRow], _ old: [StoredRow], _ settlement: inout Settlement
    ) throws {
        let kind = kind(place.type)
        var free = old
        var unmatched: [StoredRow] = []
        for record in file {
            if let index = try free.firstIndex(where: { try facts.sameContent($0, record) }) {
                let row = free.remove(at: index)
                seen.insert(row.sequence)
                outcome[kind].unchanged += 1
                if record.sequence > mark { settlement.standIns[record.sequence] = row.sequence }
            } else {
                unmatched.append(record)
            }
        }
        var next = (old.map { ImportedIdentity.occurrence($0.key) }.max() ?? -1) + 1
        for record in unmatched {
            if !free.isEmpty {
                let row = free.removeFirst()
                outcome[kind].unchanged += 1
                outcome.notApplied += 1
                if record.sequence > mark { settlement.standIns[record.sequence] = row.sequence }
                continue
            }
            let sequence = try freshRow(for: record, &settlement)
            outcome[kind].new += 1
            try setKey(place.base + next, of: sequence)
            next += 1
        }
    }

    /// A new row with a record's content: the record's own, or a copy where the record is an old row.
    private func freshRow(for record: StoredRow, _ settlement: inout Settlement) throws -> Int64 {
        if let index = settlement.unused.firstIndex(where: { $0.sequence == record.sequence }) {
            return settlement.unused.remove(at: index).sequence
        }
        let copy = try insert(record)
        try relink(record.sequence, to: copy)
        return copy
    }

    /// Lets a row take another's place among the memberships that this file names.
    private func relink(_ sequence: Int64, to other: Int64) throws {
        for end in ["parent", "child"] {
            try db.execute(
                sql: "UPDATE OR IGNORE temp.link SET \(end) = ?1 WHERE \(end) = ?2",
                arguments: [other, sequence])
        }
    }

    private func setKey(_ key: Int64, of sequence: Int64) throws {
        try db.execute(
            sql: "UPDATE sample SET key = ? WHERE sequence = ?", arguments: [key, sequence])
    }

    private func inOrderOfValue(_ rows: [StoredRow]) throws -> [StoredRow] {
        let keyed = try rows.map { row in
            (
                value: try facts.canonical(row.value, origin: row.origin, type: row.type),
                text: try contentText(row), row: row
            )
        }
        return keyed.sorted { a, b in
            if a.row.end != b.row.end { return a.row.end < b.row.end }
            if a.value != b.value, !(a.value.isNaN && b.value.isNaN) {
                return a.value.isNaN ? false : b.value.isNaN ? true : a.value < b.value
            }
            if a.text != b.text { return a.text < b.text }
            return a.row.sequence < b.row.sequence
        }.map(\.row)
    }

    /// What orders records of equal value the same way in every store.
    private func contentText(_ row: StoredRow) throws -> String {
        let metadata =
            row.metadata == 0
            ? nil
            : try String.fetchOne(
                db, sql: "SELECT entries FROM metadata WHERE id = ?", arguments: [row.metadata])
        return (metadata ?? "") + (row.detail ?? "") + (try facts.fact(row.origin).version ?? "")
    }

    /// Equal top-level records are separate samples and all count; the report says how many.
    private func countEquals(_ file: [StoredRow]) throws {
        var extra = 0
        for index in file.indices.dropFirst()
        where try facts.sameContent(file[index - 1], file[index]) {
            extra += 1
        }
        guard extra > 0, let row = file.first else { return }
        let type = try String.fetchOne(
            db, sql: "SELECT identifier FROM type WHERE code = ?", arguments: [row.type])
        let source = try String.fetchOne(
            db, sql: "SELECT name FROM source WHERE id = ?",
            arguments: [try facts.fact(row.origin).source])
        let known = outcome.equals.firstIndex { $0.type == type && $0.source == source ?? "" }
        if let known {
            outcome.equals[known].count += extra
        } else {
            outcome.equals.append(.init(type: type ?? "", source: source ?? "", count: extra))
        }
    }

    // MARK: - Rows that go

    enum Removal: String { case vanished, changed }

    /// Moves a row whole to `removed`.
    func move(_ row: StoredRow, to reason: Removal, at sequence: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO removed (import, reason, removed_sequence, sequence, type, start_time, key,
                    end_time, created, origin, metadata, value, uuid, detail, members)
                SELECT ?, ?, ?, sample.sequence, type, start_time, key, end_time, created, origin,
                    metadata, value, uuid, detail.content,
                    (SELECT json_group_array(child) FROM membership WHERE parent = sample.sequence)
                FROM sample LEFT JOIN detail ON detail.sequence = sample.sequence
                WHERE sample.sequence = ?
                """,
            arguments: [importID, reason.rawValue, sequence, row.sequence])
        if reason == .changed {
            // The new version takes the old one's place among its correlation's members.
            try db.execute(
                sql: "UPDATE OR IGNORE membership SET child = ?1 WHERE child = ?2",
                arguments: [sequence, row.sequence])
        }
        try db.execute(sql: "DELETE FROM sample WHERE sequence = ?", arguments: [row.sequence])
    }

    /// Drops a new row that says what another row already says.
    private func discard(_ row: StoredRow, insteadUse standIn: Int64?) throws {
        if let standIn { try relink(row.sequence, to: standIn) }
        try db.execute(
            sql: "DELETE FROM temp.link WHERE parent = ?1 OR child = ?1", arguments: [row.sequence])
        try db.execute(sql: "DELETE FROM sample WHERE sequence = ?", arguments: [row.sequence])
    }

    /// An addition revives nothing: new rows under the identity of something removed are dropped.
    private func leaveRemovedAlone() throws {
        let rows = try RawStatement(
            db,
            "SELECT \(StoredRow.columns) FROM sample WHERE sequence > ? AND EXISTS ("
                + "SELECT 1 FROM tombstone t WHERE t.type = sample.type "
                + "AND t.start_time = sample.start_time AND t.key = sample.key)")
        rows.bind(mark, at: 1)
        var revived: [StoredRow] = []
        while try rows.step() { revived.append(StoredRow(rows)) }
        for row in revived {
            outcome[kind(row.type)].new -= 1
            outcome[kind(row.type)].unchanged += 1
            outcome.notApplied += 1
            typeCounts[row.type, default: 0] -= 1
            try discard(row, insteadUse: nil)
        }
    }

    /// What a newer complete export no longer holds is gone; a tombstone says so to watchers.
    private func removeVanished() throws {
        let rows = try RawStatement(
            db, "SELECT \(StoredRow.columns) FROM sample WHERE sequence <= ? AND uuid IS NULL")
        rows.bind(mark, at: 1)
        var gone: [StoredRow] = []
        while try rows.step() {
            if !seen.contains(rows.int(0)) { gone.append(StoredRow(rows)) }
        }
        for row in gone {
            next += 1
            try db.execute(
                sql:
                    "INSERT INTO tombstone (sequence, type, start_time, key, end_time, origin, metadata) "
                    + "VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    next, row.type, row.start, row.key, row.end, row.origin,
                    row.metadata == 0 ? nil : row.metadata,
                ])
            try move(row, to: .vanished, at: next)
        }
        outcome.vanished = gone.count
    }
}

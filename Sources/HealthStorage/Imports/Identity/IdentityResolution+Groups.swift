import GRDB
import HealthCalendar
import HealthEngine

extension IdentityResolution {
    typealias GroupKey = SnapshotWriter.GroupKey

    /// Finds the identities with more than one record, after a first import in which too many rows
    /// were possible duplicates.
    func collectEqualIdentities() throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO temp.contested (type, start_time, base)
                SELECT type, start_time, key FROM sample
                GROUP BY type, start_time, key HAVING count(*) > 1
                """)
    }

    /// Resolves every contested identity: one with several rows or changed content.
    ///
    /// The records of an identity are sorted by end, canonical value and content. In a snapshot
    /// they are numbered in this order, and each is compared with the stored row of its number. In
    /// other imports they are matched with stored rows, first with those of equal content. Only
    /// records without a stored row are new and get the next numbers.
    func resolveGroups() throws {
        let contested = try StoreStatement<NoFields, SnapshotWriter.ContestedColumn>(
            db,
            "SELECT \(SnapshotWriter.ContestedColumn.columns) FROM temp.contested "
                + "ORDER BY type, start_time, base")
        while try contested.step() {
            try writer.checkCancellation()
            let group = GroupKey(
                type: Int32(truncatingIfNeeded: contested.int(.type)),
                start: contested.double(.startTime), base: contested.int(.base))
            let (rows, isCut) = try writer.group(at: group)
            if isCut { try quarantineSurplus(group) }
            // In a first import, rows that arrived late are only possible duplicates.
            if writer.isFirst, rows.count < 2 { continue }
            if try !resolvePair(rows) { try resolveGroup(group, rows) }
        }
    }

    /// Resolves the usual case, one stored row and one new record. Returns false, without a change,
    /// in all other cases.
    private func resolvePair(_ rows: [StoredRow]) throws -> Bool {
        guard rows.count == 2, let old = rows.min(by: { $0.sequence < $1.sequence }),
            let new = rows.max(by: { $0.sequence < $1.sequence }),
            old.sequence <= mark, new.sequence > mark, !writer.seen.contains(old.sequence),
            old.key == new.key, ImportedIdentity.occurrence(old.key) == 0
        else { return false }
        let kind = writer.kind(old.type)
        writer.outcome[kind].new -= 1
        if try originCache.sameContent(old, new) {
            writer.outcome[kind].unchanged += 1
            writer.seen.insert(old.sequence)
            try note(standIn: old.sequence, for: new.sequence)
        } else if writer.outcome.kind == .snapshot {
            writer.outcome[kind].changed += 1
            try note(.changed, old.sequence, replacement: new.sequence)
        } else {
            writer.outcome[kind].unchanged += 1
            writer.outcome.notApplied += 1
            try note(standIn: old.sequence, for: new.sequence)
        }
        return true
    }

    private func resolveGroup(_ group: GroupKey, _ rows: [StoredRow]) throws {
        let old = rows.filter { $0.sequence <= mark }
        let new = rows.filter { $0.sequence > mark }
        let file = try inOrderOfValue(
            new + old.filter { writer.seen.contains($0.sequence) })
        try countEqualRecords(file)
        let kind = writer.kind(group.type)
        writer.outcome[kind].new -= new.count
        writer.outcome[kind].unchanged -= file.count - new.count
        var unused = UnusedRows(new)
        if writer.outcome.kind == .snapshot {
            try resolveInSnapshot(group, file, old, &unused)
        } else {
            try resolveInAddition(group, file, old, &unused)
        }
        for (sequence, standIn) in unused.standIns.sorted(by: { $0.key < $1.key }) {
            try note(standIn: standIn, for: sequence)
        }
    }

    /// New rows that no occurrence uses, with the stored rows that stand in for them; nil for
    /// none.
    private struct UnusedRows {
        private(set) var standIns: [Int64: Int64?]

        init(_ new: [StoredRow]) {
            standIns = Dictionary(
                new.map { ($0.sequence, nil) }, uniquingKeysWith: { first, _ in first })
        }

        mutating func use(_ sequence: Int64) -> Bool {
            standIns.removeValue(forKey: sequence) != nil
        }

        mutating func setStandIn(_ other: Int64, for sequence: Int64) {
            if standIns[sequence] != nil { standIns[sequence] = .some(other) }
        }
    }

    private static let maximumOccurrences = Int(ImportedIdentity.maximumOccurrence) + 1

    /// Replaces the stored rows that differ from the file's records, because the file is complete
    /// and the latest. Records beyond the maximum number of occurrences are quarantined.
    private func resolveInSnapshot(
        _ group: GroupKey, _ file: [StoredRow], _ old: [StoredRow], _ unused: inout UnusedRows
    ) throws {
        let kind = writer.kind(group.type)
        let records = file.prefix(IdentityResolution.maximumOccurrences)
        let before = Dictionary(
            old.map { (Int(ImportedIdentity.occurrence($0.key)), $0) },
            uniquingKeysWith: { first, _ in first })
        for (occurrence, record) in records.enumerated() {
            let replaced = before[occurrence]
            if let replaced, try originCache.sameContent(replaced, record) {
                writer.outcome[kind].unchanged += 1
                writer.seen.insert(replaced.sequence)
                unused.setStandIn(replaced.sequence, for: record.sequence)
                continue
            }
            let sequence = try newRow(for: record, &unused)
            if let replaced {
                writer.outcome[kind].changed += 1
                try note(.changed, replaced.sequence, replacement: sequence)
            } else {
                writer.outcome[kind].new += 1
            }
            try setOccurrence(Int64(occurrence), of: record, at: group, standingIn: sequence)
        }
        try quarantine(file.dropFirst(IdentityResolution.maximumOccurrences))
    }

    /// Adds only the records beyond the number of stored rows. A record that is matched with a
    /// stored row of other content counts as unchanged and as not applied.
    private func resolveInAddition(
        _ group: GroupKey, _ file: [StoredRow], _ old: [StoredRow], _ unused: inout UnusedRows
    ) throws {
        let kind = writer.kind(group.type)
        var free = try UnmatchedRows(old, originCache)
        var unmatched: [StoredRow] = []
        for record in file {
            if let row = try free.removeMatch(for: record) {
                writer.seen.insert(row.sequence)
                writer.outcome[kind].unchanged += 1
                unused.setStandIn(row.sequence, for: record.sequence)
            } else {
                unmatched.append(record)
            }
        }
        var next = (old.map { ImportedIdentity.occurrence($0.key) }.max() ?? -1) + 1
        for (index, record) in unmatched.enumerated() {
            if let row = free.popFirst() {
                writer.outcome[kind].unchanged += 1
                writer.outcome.notApplied += 1
                unused.setStandIn(row.sequence, for: record.sequence)
                continue
            }
            guard next <= ImportedIdentity.maximumOccurrence else {
                return try quarantine(unmatched[index...])
            }
            let sequence = try newRow(for: record, &unused)
            writer.outcome[kind].new += 1
            try setOccurrence(next, of: record, at: group, standingIn: sequence)
            next += 1
        }
    }

    private func setOccurrence(
        _ occurrence: Int64, of record: StoredRow, at group: GroupKey, standingIn sequence: Int64
    ) throws {
        let key = group.base + occurrence
        if record.key != key { try set(origin: record.origin, key: key, of: sequence) }
    }

    /// Returns a new row with a record's content: the record's own, or a copy if the record is a
    /// stored row.
    private func newRow(for record: StoredRow, _ unused: inout UnusedRows) throws -> Int64 {
        if unused.use(record.sequence) { return record.sequence }
        let copy = try writer.insert(record)
        try note(standIn: copy, for: record.sequence)
        return copy
    }

    /// Quarantines records beyond the maximum for one identity: they are counted, and stored as
    /// text.
    private func quarantine(_ records: ArraySlice<StoredRow>) throws {
        for record in records {
            let kind = writer.kind(record.type)
            try writer.quarantine(
                try elementText(record), element: IdentityResolution.element(kind), kind: kind,
                at: 0)
            writer.typeCounts[record.type, default: 0] -= 1
            if record.sequence <= mark { try note(standIn: nil, for: record.sequence) }
        }
    }

    /// Quarantines the records that ``SnapshotWriter/group(at:)`` left out.
    private func quarantineSurplus(_ group: GroupKey) throws {
        let kind = writer.kind(group.type)
        try writer.forEachSurplusRow(at: group) { row in
            try writer.checkCancellation()
            writer.outcome[kind].new -= 1
            try quarantine([row])
            try note(standIn: nil, for: row.sequence)
        }
    }

    // MARK: - Order and equality

    private func inOrderOfValue(_ rows: [StoredRow]) throws -> [StoredRow] {
        let keyed = try rows.map { row in
            (
                value: try originCache.canonical(row.value, origin: row.origin, type: row.type),
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

    /// Returns the metadata, details and source version as a text, which orders records of equal
    /// value in the same way in every store.
    private func contentText(_ row: StoredRow) throws -> String {
        try metadataText(row.metadata) + (row.detail ?? "")
            + (try originCache.entry(row.origin).version ?? "")
    }

    /// Counts equal top-level records for the report. They are separate samples.
    private func countEqualRecords(_ file: [StoredRow]) throws {
        var extra = 0
        for index in file.indices.dropFirst()
        where try originCache.sameContent(file[index - 1], file[index]) {
            extra += 1
        }
        guard extra > 0, let row = file.first else { return }
        let source = try originCache.entry(row.origin).source
        equalRecords[EqualRecordsKey(type: row.type, source: source), default: 0] += extra
    }

    /// Returns a row as an XML element with its type, source, unit, times in UTC and value.
    private func elementText(_ row: StoredRow) throws -> String {
        let entry = try originCache.entry(row.origin)
        func date(_ seconds: Double) -> String {
            let whole = Int64(exactly: seconds.rounded(.down)) ?? 0
            return CivilTime(reference: whole).text(separator: " ") + " +0000"
        }
        var attributes = [
            ("type", try name(ofType: row.type)), ("sourceName", try name(ofSource: entry.source)),
        ]
        if let version = entry.version { attributes.append(("sourceVersion", version)) }
        if let unit = entry.unitSymbol { attributes.append(("unit", unit)) }
        if !row.created.isNaN { attributes.append(("creationDate", date(row.created))) }
        attributes += [("startDate", date(row.start)), ("endDate", date(row.end))]
        if !row.value.isNaN { attributes.append(("value", "\(row.value)")) }
        return "<\(IdentityResolution.element(writer.kind(row.type)))"
            + attributes.map { " \($0)=\"\(IdentityResolution.escaped($1))\"" }.joined() + "/>"
    }

    private static func element(_ kind: SampleType.Kind) -> String {
        switch kind {
        case .correlation: "Correlation"
        case .workout: "Workout"
        case .activitySummary: "ActivitySummary"
        case .quantity, .category, .other: "Record"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing("\"", with: "&quot;")
    }
}

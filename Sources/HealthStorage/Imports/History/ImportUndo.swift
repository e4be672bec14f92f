import GRDB

/// Why an import can't be undone. The store isn't changed. Contains no health values.
public enum ImportUndoError: Error, Hashable, CustomStringConvertible {
    /// No import has this number.
    case unknown(Int64)
    /// A later import must be undone first.
    case notNewest(Int64, newest: Int64)
    /// The data that an undo needs is missing, because an early version made the import, or
    /// damaged.
    case missingUndoData(Int64)
    /// Later changes depend on data of the import.
    case blocked(Int64, [Obstacle])

    public var description: String {
        switch self {
        case .unknown(let number):
            "There is no import \(number)."
        case .notNewest(let number, let newest):
            "Import \(number) is not the newest: undo import \(newest) first."
        case .missingUndoData(let number):
            "Import \(number) can't be undone: it was made by an earlier version, which didn't "
                + "store the data for an undo."
        case .blocked(let number, let obstacles):
            "Import \(number) can't be undone because later changes depend on it:\n"
                + obstacles.map { "  \($0)" }.joined(separator: "\n")
        }
    }
}

/// The result of an undo.
public struct ImportUndoOutcome: Hashable, Sendable {
    /// The number of samples that the import had added and that were deleted.
    public var removed: Int
    /// The number of samples that were changed back.
    public var reverted: Int
    /// The number of samples that the import had removed and that were restored.
    public var restored: Int
}

extension SampleStore {
    /// Undoes the newest import, as a new change. Afterwards, results are the same as without the
    /// import, except for sequence numbers.
    ///
    /// Samples that the import added leave tombstones. Samples that it changed or removed are
    /// restored with their UUIDs and new sequence numbers, so that readers of changes reach the
    /// same state. Later choices of a person stay, such as a source order. The same export can be
    /// imported again, and the number of the import becomes free.
    ///
    /// ```swift
    /// let outcome = try store.undoImport(2)
    /// outcome.restored   // 12
    /// ```
    /// - Parameter number: ``ImportSummary/number`` of the newest import.
    /// - Returns: The numbers of deleted, changed and restored samples.
    /// - Throws: ``ImportUndoError`` if the import can't be undone; ``StoreError`` of code `busy`
    ///   while an import or another undo is running, of other codes if the file can't be read or
    ///   written. Then nothing changes.
    /// - Complexity: O(n log n) for n stored and removed samples and their metadata, in one
    ///   transaction.
    @discardableResult
    public func undoImport(_ number: Int64) throws -> ImportUndoOutcome {
        let lock = try ImportLock.acquire(for: path)
        defer { withExtendedLifetime(lock) {} }
        let outcome = try write { db in try ImportUndo(db, number).run() }
        truncateWAL()
        return outcome
    }

    /// Checks whether ``undoImport(_:)`` is possible.
    ///
    /// - Parameter number: ``ImportSummary/number`` of the import.
    /// - Throws: ``ImportUndoError`` if the import can't be undone; ``StoreError`` if the file
    ///   can't be read.
    /// - Complexity: O(n log m) for n changes of the import and after it, and m stored samples.
    package func checkUndo(ofImport number: Int64) throws {
        try read { db in
            let obstacles = try ImportUndo(db, number).obstacles()
            if !obstacles.isEmpty { throw ImportUndoError.blocked(number, obstacles) }
        }
    }
}

/// One undo, inside its transaction. If later changes depend on the import's rows, nothing is done.
/// ``RowRestoration`` restores the rows that the import has changed or removed.
struct ImportUndo {
    let db: Database
    let number: Int64
    let first: Int64
    let last: Int64
    let trace: ImportTrace
    /// The sequence numbers of the import's rows, see ``ImportTrace/spans(from:to:)``.
    let spans: String
    let settings: StoreSettings

    init(_ db: Database, _ number: Int64) throws {
        self.db = db
        self.number = number
        guard
            let row = try CheckedRow.readOne(
                db, sql: "SELECT first_sequence, last_sequence, previous FROM import WHERE id = ?",
                arguments: [number])
        else { throw ImportUndoError.unknown(number) }
        let newest = try Int64.readOne(db, sql: "SELECT max(id) FROM import") ?? number
        if newest != number { throw ImportUndoError.notNewest(number, newest: newest) }
        guard let trace = ImportTrace(try row["previous"]) else {
            throw ImportUndoError.missingUndoData(number)
        }
        first = try row["first_sequence"]
        last = try row["last_sequence"]
        self.trace = trace
        spans = try trace.spans(from: first, to: last)
        settings = try StoreSettings(db)
    }

    func run() throws -> ImportUndoOutcome {
        let obstacles = try obstacles()
        if !obstacles.isEmpty { throw ImportUndoError.blocked(number, obstacles) }
        // A text that was read before may give something else now, such as another source.
        try db.execute(sql: "DELETE FROM export_chunk")
        let restoration = RowRestoration(db)
        try restoration.begin()
        try forgetTakenOverRows()
        let start = try SampleStore.lastSequence(db)
        let before = try restoreReceivedRows(after: start)
        try collectRows(after: before)
        let sentAgain = try sentAgainCount(after: start)
        let returning = try count("undone_row")
        let changed = try count("undone_row WHERE replaced IS NOT NULL")
        try restoration.collectMemberships(trace.memberships)
        try insertTombstones(after: before + Int64(returning))
        let removed = db.changesCount
        try recordTombstones(after: before + Int64(returning), removed)
        let own = ImportTrace.rows(of: "sample", in: "?")
        try db.execute(
            sql: "DELETE FROM sample WHERE uuid IS NULL "
                + "AND sequence IN (SELECT row.sequence FROM \(own))",
            arguments: [spans])
        try restoration.restoreRows()
        try restoreSettings()
        try deleteImport()
        try restoration.renumber()
        let restored = try restoration.resolveTwins(after: before + Int64(returning + removed))
        let last = try removeReplacedRows(after: start, restored)
        // One unused sequence number more, so that ``SampleStore/contents(since:)`` counts all
        // samples again.
        try SampleStore.set(.lastSequence, to: last + 1, db)
        try MetadataOrphans.delete(db)
        try restoration.end()
        return ImportUndoOutcome(
            removed: removed, reverted: changed, restored: returning - changed + sentAgain)
    }

    /// Deletes the other files that the import added, and all routes that no workout refers to. A
    /// route of the import that an earlier workout refers to is assigned to the previous import.
    private func deleteFiles() throws {
        try db.execute(sql: "DELETE FROM export_file WHERE import = ?", arguments: [number])
        // Content of the import that a device has replaced or deleted since is not restored.
        try RouteTable.forgetRoutes(ofImport: number, inRemovedAfter: trace.removedThrough, db)
        try RouteTable.deleteOrphans(db)
        try db.execute(
            sql: """
                UPDATE route SET import = (SELECT max(id) FROM import WHERE id < ?1)
                WHERE import = ?1 AND EXISTS (SELECT 1 FROM import WHERE id < ?1)
                """, arguments: [number])
    }

    private func count(_ rows: String) throws -> Int {
        try Int.readOne(db, sql: "SELECT count(*) FROM temp.\(rows)") ?? 0
    }

    // MARK: - Rows

    private func collectRows(after before: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO temp.undone_row (old, replaced, sequence, id)
                SELECT sequence, iif(reason = 'changed', removed_sequence, NULL),
                    ?1 + row_number() OVER (ORDER BY sequence), id
                FROM removed WHERE id > ?2 AND id <= ?3 AND import = ?4
                    AND (uuid IS NULL
                        OR NOT EXISTS (SELECT 1 FROM sample WHERE sample.uuid = removed.uuid))
                """,
            arguments: [before, trace.removedAfter, trace.removedThrough, number])
    }

    /// Returns the number of samples that the import had removed and that are stored as a device has
    /// sent them again since.
    private func sentAgainCount(after start: Int64) throws -> Int {
        try Int.readOne(
            db,
            sql: """
                SELECT count(*) FROM removed JOIN sample USING (uuid)
                WHERE id > ? AND id <= ? AND import = ? AND sample.sequence > ?
                """,
            arguments: [trace.removedAfter, trace.removedThrough, number, start]) ?? 0
    }

    private func insertTombstones(after before: Int64) throws {
        // The import's tombstones belong to samples that are restored. New tombstones have no
        // metadata, so that metadata that only the import added can be deleted.
        try db.execute(
            sql: "DELETE FROM tombstone WHERE sequence BETWEEN ? AND ?", arguments: [first, last])
        try db.execute(
            sql: """
                INSERT INTO tombstone (sequence, type, start_time, key, end_time, origin, metadata,
                    uuid, member_types)
                SELECT ?1 + row_number() OVER (ORDER BY sequence), type, start_time, key, end_time,
                    origin, NULL, uuid,
                    (SELECT nullif(json_group_array(DISTINCT member.type), '[]')
                     FROM membership JOIN sample member ON member.sequence = child
                     WHERE parent = sample.sequence)
                FROM sample
                WHERE uuid IS NULL
                    AND sequence IN (SELECT row.sequence FROM \(ImportTrace.rows(of: "sample", in: "?2")))
                    AND NOT EXISTS (SELECT 1 FROM temp.undone_row u
                                    WHERE u.replaced = sample.sequence)
                """, arguments: [before, spans])
    }

    /// Records the range of the tombstones that the undo has left. No program deleted their
    /// samples, so an import that only adds may restore them.
    private func recordTombstones(after number: Int64, _ count: Int) throws {
        if count == 0 { return }
        try db.execute(
            sql: "INSERT INTO store (key, value) VALUES (?, ?)",
            arguments: ["undone.\(number + 1)", number + Int64(count)])
    }

    // MARK: - Other data

    private func restoreSettings() throws {
        for change in trace.settings where change.table != .source {
            try settings.undo(change, db)
        }
        for id in trace.newSources {
            if try isReceived(source: id) {
                try keepName(ofSource: id)
                continue
            }
            // Tombstones of samples of a removed source lose their origin: 0 means none.
            try db.execute(
                sql: """
                    UPDATE tombstone SET origin = 0 WHERE sequence > ?2
                        AND origin IN (SELECT id FROM origin WHERE source = ?1)
                    """, arguments: [id, last])
            try db.execute(sql: "DELETE FROM source_setting WHERE source = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM source_alias WHERE source = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM origin WHERE source = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [id])
        }
    }

    private func deleteImport() throws {
        try db.execute(
            sql: "DELETE FROM removed WHERE id > ? AND id <= ?",
            arguments: [trace.removedAfter, trace.removedThrough])
        try db.execute(sql: "DELETE FROM raw_element WHERE import = ?", arguments: [number])
        try db.execute(sql: "DELETE FROM medication WHERE import = ?", arguments: [number])
        try deleteFiles()
        try db.execute(sql: "DELETE FROM import WHERE id = ?", arguments: [number])
    }
}

import GRDB
package import HealthEngine

/// Exported samples that complete runs of devices have removed (Semantics §15.6).
enum TakenOver {
    /// An SQL condition on a row of `removed`: a complete run has removed it. Rows that vanished
    /// with an import have its number.
    static func condition(_ row: String) -> String {
        "\(row).import IS NULL AND \(row).reason = 'vanished'"
    }

    /// An SQL condition on a row of `removed`: the row is of an import, and a device has removed it
    /// since. Either a complete run did, or HealthKit had deleted the sample.
    static func removedByDevice(_ row: String) -> String {
        "\(row).import IS NULL AND (\(row).reason = 'vanished' "
            + "OR \(row).reason = 'replaced' AND \(row).uuid IS NULL)"
    }

    /// An SQL expression: the id of the receipt of the run that has removed a row.
    static func receipt(of row: String) -> String {
        """
        (SELECT id FROM receipt
         WHERE first_sequence BETWEEN 1 AND \(row).removed_sequence
            AND last_sequence >= \(row).removed_sequence
         ORDER BY first_sequence DESC LIMIT 1)
        """
    }

    /// A query for the rows that runs of the device ?1 have removed and that can be restored: of
    /// several with one identity the last one, and none that a later export has brought again.
    fileprivate static let restorable = """
        SELECT r.id, r.sequence, r.removed_sequence, r.type
        FROM removed r JOIN receipt ON receipt.id = \(receipt(of: "r"))
        JOIN intake_route ON intake_route.id = receipt.route
        WHERE \(condition("r")) AND intake_route.device = ?1 COLLATE NOCASE
            AND NOT EXISTS (
                SELECT 1 FROM sample s WHERE s.type = r.type AND s.start_time = r.start_time
                    AND s.key = r.key AND s.uuid IS NULL)
            AND NOT EXISTS (
                SELECT 1 FROM removed later WHERE later.type = r.type
                    AND later.start_time = r.start_time AND later.key = r.key
                    AND \(condition("later")) AND later.id > r.id)
        """
}

extension SampleStore {
    /// Returns the numbers of exported samples that complete runs of a device have removed and that
    /// ``restoreTakenOver(from:)`` would restore.
    ///
    /// - Parameter device: The name of the device. Upper and lower case are the same.
    /// - Returns: The types, in order of identifier, with their numbers of samples.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(removed rows × log n).
    package func takenOver(from device: String) throws -> [(type: SampleType, count: Int)] {
        try read { db in
            let known = try SampleStore.knownTypes(db)
            return try CheckedRow.readAll(
                db,
                sql: "SELECT type, count(*) AS count FROM (\(TakenOver.restorable)) GROUP BY type",
                arguments: [device]
            ).compactMap { row in
                guard let type = known[try row["type"]] else { return nil }
                return (type, try row["count"])
            }.sorted { $0.type.identifier < $1.type.identifier }
        }
    }

    /// Restores the exported samples that complete runs of a device have removed, as a new change.
    ///
    /// They have the UUIDs and the import from before, and new sequence numbers. If the device
    /// states another complete run later, they are compared again.
    ///
    /// - Parameter device: The name of the device. Upper and lower case are the same.
    /// - Returns: The number of restored samples.
    /// - Throws: ``StoreError`` of code `busy` while an import or an undo is running, of other codes
    ///   if the file can't be written. Then nothing changes.
    /// - Complexity: O(n log n) for n stored and removed samples.
    @discardableResult
    package func restoreTakenOver(from device: String) throws -> Int {
        let lock = try ImportLock.acquire(for: path)
        defer { withExtendedLifetime(lock) {} }
        return try write { db in
            let restoration = RowRestoration(db)
            try restoration.begin()
            let before = try SampleStore.lastSequence(db)
            try db.executeKept(
                sql: """
                    INSERT INTO temp.undone_row (old, replaced, sequence, id)
                    SELECT sequence, NULL, ?2 + row_number() OVER (ORDER BY sequence), id
                    FROM (\(TakenOver.restorable))
                    """, arguments: [device, before])
            let count = db.changesCount
            if count > 0 { try SampleStore.restore(restoration, count, after: before, db) }
            try restoration.end()
            return count
        }
    }

    private static func restore(
        _ restoration: RowRestoration, _ count: Int, after before: Int64, _ db: Database
    ) throws {
        try restoration.collectMemberships([])
        try restoration.restoreRows()
        try db.execute(
            sql: """
                DELETE FROM tombstone WHERE sequence IN (
                    SELECT removed_sequence FROM removed
                    WHERE id IN (SELECT id FROM temp.undone_row));
                DELETE FROM removed WHERE id IN (SELECT id FROM temp.undone_row);
                """)
        try restoration.renumber()
        let last = try restoration.resolveTwins(after: before + Int64(count))
        // One unused sequence number more, so that ``SampleStore/contents(since:)`` counts all
        // samples again.
        try SampleStore.set(.lastSequence, to: last + 1, db)
    }
}

extension SampleStore {
    /// Returns what the last complete run of each type of a device was compared with.
    ///
    /// - Parameter device: The name of the device. Upper and lower case are the same.
    /// - Returns: The comparisons, in order of the type's identifier.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(receipts).
    package func completeRuns(of device: String) throws -> [IntakeReceipt.Completion] {
        let receipts = try read { db in try ReceiptTable(db).completing(device: device) }
        var runs: [String: IntakeReceipt.Completion] = [:]
        for completion in receipts.flatMap(\.completions) { runs[completion.type] = completion }
        return runs.values.sorted { $0.type < $1.type }
    }
}

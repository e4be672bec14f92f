import GRDB
import HealthEngine

extension SnapshotWriter {
    /// Makes the decisions that need the whole file, and completes the import. Call it once, after
    /// all batches.
    ///
    /// - Parameter completeness: Whether any element was lost.
    /// - Returns: The counts of the import.
    /// - Throws: ``StoreError``: `cancelled` if the import was cancelled, which is checked every
    ///   thousand rows; `invalidArgument` if it has been called before; another code if the file
    ///   can't be written. Rethrow it, so that the transaction is rolled back.
    /// - Complexity: O(m log n) for m imported and n stored samples.
    public func finish(_ completeness: SnapshotCompleteness) throws -> SnapshotOutcome {
        if isFinished { throw StoreError(.invalidImport(.alreadyFinished)) }
        try stopIfCancelled()
        outcome.kind =
            completeness == .damaged ? .partial : isLatest ? .snapshot : .addition
        endOriginRun()
        try finishInsertion()
        if isFirst { try db.execute(sql: Schema.orderIndex) }
        let resolution = try IdentityResolution(self)
        try resolution.run()
        try resolveCharacteristics()
        if !isFirst { try RouteTable.deleteOrphans(db) }
        try describeSources()
        try resolveTwins()
        try excludeDayTotals()
        try finishChunks()
        try close(resolution)
        try buildSegments()
        isFinished = true
        return outcome
    }

    /// Stores the report of the import, replacing an earlier one.
    ///
    /// - Parameter ledger: The report as JSON.
    /// - Throws: An error if the file can't be written.
    package func record(ledger: String) throws {
        try db.execute(
            sql: "UPDATE import SET ledger = ? WHERE id = ?", arguments: [ledger, importID])
    }

    private func buildSegments() throws {
        if isFirst {
            try EditLog.skip(db)
            // Segments don't hold types with details.
            try db.execute(
                sql: "DELETE FROM segment WHERE type IN (SELECT code FROM type WHERE has_details)")
        }
        try SegmentWriter.fill(db, .unlimited)
    }

    private func close(_ resolution: IdentityResolution) throws {
        for (code, count) in typeCounts where count > 0 {
            outcome.types[try resolution.name(ofType: code)] = count
        }
        for type in detailedTypes {
            try db.execute(
                sql: "UPDATE type SET has_details = 1 WHERE code = ?", arguments: [type])
        }
        try SampleStore.set(.lastSequence, to: next, db)
        try db.execute(
            sql: "UPDATE import SET kind = ?, last_sequence = ? WHERE id = ?",
            arguments: [outcome.kind.rawValue, next, importID])
        try resolution.dropTemporaryTables()
        try dropTemporaryTables()
    }
}

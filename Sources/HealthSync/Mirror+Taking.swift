import GRDB

extension Mirror {
    /// Keeps a batch, its deletions and the position after it in one transaction.
    ///
    /// Deletions are applied before what was added: the samples of a page are in the store, so that a
    /// UUID that is in both lives.
    ///
    /// - Throws: ``SyncError/positionMoved`` if the batch doesn't begin at the stored position;
    ///   ``MirrorError``. Nothing is kept then.
    /// - Complexity: O(*n* log *m*) for *n* changes beside *m* entries.
    public func take(_ batch: ChangeBatch) async throws {
        let probe = probe
        let configuration = configuration
        try await transaction(.readAgain) { db in
            guard try Mirror.position(for: batch.key, db) == batch.from else {
                throw SyncError.positionMoved
            }
            if !batch.added.isEmpty || !batch.deleted.isEmpty {
                try Mirror.raiseChangeCount(db)
                let rows = try MirrorRows(db, configuration)
                for deleted in batch.deleted { try rows.remove(deleted, of: batch.sampleType) }
                for sample in batch.added { try rows.upsert(sample) }
            }
            try probe.reached(.rowsWritten)
            try Mirror.move(batch.key, from: batch.from, to: batch.to, db)
            try probe.reached(.positionWritten)
        }
    }
}

import Foundation
import GRDB

// Reads and writes of rows for the rest of the module, called within `write` and `read`.
extension Mirror {
    /// Stores a sample that the health store shows. Its entry is marked as synced; see
    /// ``MirrorRows/upsert(_:)``.
    ///
    /// For many samples in one transaction, reusing one ``MirrorRows`` is faster.
    func upsert(_ sample: HKSample, _ db: Database) throws {
        try rows(db).upsert(sample)
    }

    /// Removes an entry, and records its UUID as deleted even if there is no entry; see
    /// ``MirrorRows/remove(_:provenBy:)``.
    func remove(_ uuid: UUID, provenBy proof: MirrorProof, _ db: Database) throws {
        try rows(db).remove(uuid, provenBy: proof)
    }

    /// Returns the row operations for a transaction of ``write(_:_:)``.
    func rows(_ db: Database) throws -> MirrorRows { try MirrorRows(db, configuration) }

    /// Returns the entry with a UUID, in any state; nil if there is none.
    func entry(_ uuid: UUID, _ db: Database) throws -> MirrorEntry? {
        var reading = EntryReader(db)
        return try reading.all("WHERE uuid = ?", [uuid]).first
    }

    /// Marks an entry as shown by the health store or not, and as changed at the present change
    /// counter. Does nothing if there is no such entry, or it has this state already.
    func setState(_ state: MirrorEntry.State, of uuid: UUID, _ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE entry SET state = ?, change = ? WHERE uuid = ? AND state <> ?"
        ).execute(arguments: [state.stored, try changeCount(db), uuid, state.stored])
    }

    /// Returns whether the mirror has recorded the sample with a UUID as deleted or replaced, and
    /// has not stored it again since.
    func isDeleted(_ uuid: UUID, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM gone WHERE uuid = ?)"),
            arguments: [uuid]) ?? false
    }

    /// Returns the highest version among the deleted and replaced samples that the mirror has
    /// recorded with a sync identifier and type. A record without a version counts as 0. Returns
    /// nil if there is no record.
    ///
    /// - Parameter bundle: The app's bundle identifier. The record of a sample that the mirror did
    ///   not contain has none, and applies to every app.
    func deletedVersion(
        syncIdentifier: String, type: String, bundle: String, _ db: Database
    ) throws -> Double? {
        try Double.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(ifnull(sync_version, 0)) FROM gone JOIN type ON type.id = gone.type
                    WHERE sync_identifier = ? AND identifier = ? AND (bundle IS NULL OR bundle = ?)
                    """), arguments: [syncIdentifier, type, bundle])
    }

    /// Returns a type's row ID, and inserts the type if needed.
    static func type(_ identifier: String, _ db: Database) throws -> Int64 {
        let known = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM type WHERE identifier = ?"),
            arguments: [identifier])
        if let known { return known }
        try db.cachedStatement(sql: "INSERT INTO type (identifier) VALUES (?)")
            .execute(arguments: [identifier])
        return db.lastInsertedRowID
    }
}

extension Mirror {
    /// Stores a batch's additions, its deletions and its position in one transaction.
    ///
    /// Deletions are applied before additions. A sample whose UUID is in both is therefore stored,
    /// because the added samples of a page exist in the health store.
    ///
    /// - Parameter batch: The batch.
    /// - Throws: ``SyncError/positionMoved`` if the stored position is not ``ChangeBatch/from``;
    ///   ``MirrorError``. Nothing is stored then.
    /// - Complexity: O(*n* log *m*) for *n* changes and *m* entries.
    public func receive(_ batch: ChangeBatch) async throws {
        let probe = probe
        let configuration = configuration
        try await transaction(.normal) { db in
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

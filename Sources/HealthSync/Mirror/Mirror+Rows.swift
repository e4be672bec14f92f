import Foundation
import GRDB

// What other parts of this module do to rows, inside of `write` and `read`.
extension Mirror {
    /// Keeps a sample that the health store shows, as synced; see ``MirrorRows/upsert(_:)``.
    ///
    /// For many samples in one transaction one ``MirrorRows`` is quicker.
    func upsert(_ sample: HKSample, _ db: Database) throws {
        try rows(db).upsert(sample)
    }

    /// Removes an entry for good; see ``MirrorRows/remove(_:provenBy:)``.
    func remove(_ uuid: UUID, provenBy proof: MirrorProof, _ db: Database) throws {
        try rows(db).remove(uuid, provenBy: proof)
    }

    /// Changes to many rows in a transaction of ``write(_:_:)``.
    func rows(_ db: Database) throws -> MirrorRows { try MirrorRows(db, configuration) }

    /// The entry of a UUID, in whichever state.
    func entry(_ uuid: UUID, _ db: Database) throws -> Entry? {
        var reading = EntryReading(db)
        return try reading.all("WHERE uuid = ?", [uuid]).first
    }

    /// Says whether the health store shows an entry; one that isn't kept is left alone.
    func setState(_ state: Entry.State, of uuid: UUID, _ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE entry SET state = ?, change = ? WHERE uuid = ? AND state <> ?"
        ).execute(arguments: [state.stored, try changeCount(db), uuid, state.stored])
    }

    /// Whether a sample of this UUID is proven deleted.
    func isGone(_ uuid: UUID, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM gone WHERE uuid = ?)"),
            arguments: [uuid]) ?? false
    }

    /// The highest version of a sync identifier that is proven deleted; nil if none is.
    ///
    /// - Parameter bundle: Whose it was. Tombstones of samples that were never seen don't tell; they
    ///   count for everybody.
    func goneVersion(
        syncIdentifier: String, type: String, bundle: String, _ db: Database
    ) throws -> Double? {
        try Double.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(ifnull(sync_version, 0)) FROM gone JOIN type ON type.id = gone.type
                    WHERE sync_identifier = ? AND identifier = ? AND (bundle IS NULL OR bundle = ?)
                    """), arguments: [syncIdentifier, type, bundle])
    }

    /// A type's number in the file.
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

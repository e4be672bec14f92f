import Foundation
import GRDB
public import HealthEngine

extension SampleStore {
    /// Deletes samples of a source, in one transaction. Each leaves a tombstone (Semantics §9.7).
    ///
    /// Members of a deleted correlation or workout stay. The routes of a deleted workout are
    /// deleted too (§10.8). The write-ahead log is truncated, so that it doesn't keep deleted data,
    /// unless another connection is reading.
    ///
    /// - Parameters:
    ///   - uuids: The samples.
    ///   - bundleIdentifier: The source of all samples.
    /// - Throws: ``StoreError``: `invalidArgument` for an empty list, `unknownSample` if a sample
    ///   isn't stored, `notOwner` if it has another source. Then nothing changes.
    /// - Complexity: O(m log n) for m samples among n stored ones.
    public func delete(_ uuids: [SampleUUID], by bundleIdentifier: String) throws {
        if uuids.isEmpty {
            throw StoreError(.invalidBatch(.empty))
        }
        try write { db in
            let rows = try StoredRows(db)
            let own = try SampleStore.sourceNumbers(bundleIdentifier, db)
            var sequences: [Int64] = []
            for uuid in uuids {
                let place = try rows.require(uuid)
                guard own.contains(place.source) else {
                    throw StoreError(.notOwner(uuid, bundleIdentifier: bundleIdentifier))
                }
                sequences.append(place.sequence)
            }
            try SampleStore.delete(sequences, db)
        }
        truncateWAL()
    }

    /// Deletes the samples of a source that match a request.
    ///
    /// - Parameters:
    ///   - request: The samples to delete.
    ///   - bundleIdentifier: The source. Samples of other sources stay.
    /// - Returns: The number of samples that matched. Routes deleted with their workouts are not
    ///   counted.
    /// - Throws: ``StoreError`` if the file can't be written.
    /// - Complexity: As for ``objects(_:sortedBy:limit:visibility:)``, plus O(log n) for each
    ///   deleted sample.
    @discardableResult
    public func delete(_ request: SampleRequest, by bundleIdentifier: String) throws -> Int {
        let count = try write { db in
            let own = try SampleStore.sourceNumbers(bundleIdentifier, db)
            let table = try SourceTable(db)
            var sequences: [Int64] = []
            try RequestMatcher(db, request, table, .everything).forEach { row in
                let origin = row.sample.origin
                let source = origin < 0 ? -1 : table.origins[Int(origin)].source
                if source >= 0, own.contains(table.entries[Int(source)].id) {
                    sequences.append(row.sample.sequence)
                }
                return .next
            }
            try SampleStore.delete(sequences, db)
            return sequences.count
        }
        if count > 0 { truncateWAL() }
        return count
    }

    /// Deletes rows. A row that was already deleted together with another is skipped.
    private static func delete(_ sequences: [Int64], _ db: Database) throws {
        let removal = try SampleRemoval(db)
        for sequence in sequences { try removal.delete(sequence) }
        try removal.finish()
    }

    /// Returns the ids of the sources with this bundle identifier.
    static func sourceNumbers(_ bundleIdentifier: String, _ db: Database) throws -> Set<Int64> {
        try Int64.readSet(
            db, sql: "SELECT id FROM source WHERE bundle_identifier = ?",
            arguments: [bundleIdentifier])
    }

    /// Returns the id of a source in the store, as used by ``Visibility/Grant/onlySource``.
    ///
    /// - Parameter bundleIdentifier: The source's bundle identifier.
    /// - Returns: The id; nil if the store doesn't have the source. The smallest if several have
    ///   the identifier.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func sourceNumber(ofBundleIdentifier bundleIdentifier: String) throws -> Int64? {
        try read { db in try SampleStore.sourceNumbers(bundleIdentifier, db).min() }
    }

    /// Deletes the tombstones of saved samples up to a sequence number. A reader that is further
    /// behind will not receive these deletions (Semantics §6.6).
    ///
    /// - Parameter sequence: The last sequence number (inclusive).
    /// - Returns: The number of deleted tombstones.
    /// - Throws: ``StoreError`` if the file can't be written.
    @discardableResult
    public func purgeTombstones(through sequence: Int64) throws -> Int {
        let count = try write { db in
            // Tombstones of imported samples stay, because later imports check them.
            try db.execute(
                sql: "DELETE FROM tombstone WHERE sequence <= ? AND uuid IS NOT NULL",
                arguments: [sequence])
            let count = db.changesCount
            if count > 0 { try MetadataOrphans.delete(db) }
            return count
        }
        if count > 0 { truncateWAL() }
        return count
    }
}

import Foundation
import GRDB
public import HealthEngine

extension SampleStore {
    /// Deletes samples that a source saved, all of them or none; each leaves a tombstone
    /// (Semantics §9.7).
    ///
    /// Members of a deleted correlation and samples of a deleted workout stay; the workout's routes go
    /// with it (§10.8).
    ///
    /// - Throws: ``StoreError``: `invalidArgument` for an empty list, `unknownSample` if one is not
    ///   stored, `notOwner` if another source saved it.
    /// - Complexity: O(samples · log stored samples).
    public func delete(_ uuids: [SampleUUID], by bundleIdentifier: String) throws {
        if uuids.isEmpty {
            throw StoreError(.invalidArgument, "There is no sample to delete.")
        }
        try write { db in
            let rows = try StoredRows(db)
            let own = try SampleStore.sourceNumbers(bundleIdentifier, db)
            var sequences: [Int64] = []
            for uuid in uuids {
                let place = try rows.require(uuid)
                guard own.contains(place.source) else {
                    throw StoreError(
                        .notOwner, "The sample \(uuid) was not saved by \(bundleIdentifier).")
                }
                sequences.append(place.sequence)
            }
            try SampleStore.delete(sequences, db)
        }
        emptyLog()
    }

    /// Deletes the samples of a request that a source saved.
    ///
    /// - Returns: How many; routes that went with workouts are not counted.
    /// - Complexity: As for ``objects(_:sortedBy:limit:visibility:)``.
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
        if count > 0 { emptyLog() }
        return count
    }

    /// Takes rows out of the store; one that is gone with another already is passed over.
    private static func delete(_ sequences: [Int64], _ db: Database) throws {
        let removal = try SampleRemoval(db)
        for sequence in sequences { try removal.delete(sequence) }
        try removal.finish()
    }

    /// The numbers of the sources with a bundle identifier.
    static func sourceNumbers(_ bundleIdentifier: String, _ db: Database) throws -> Set<Int64> {
        try Int64.readSet(
            db, sql: "SELECT id FROM source WHERE bundle_identifier = ?",
            arguments: [bundleIdentifier])
    }

    /// The number by which ``Visibility/Grant/onlySource`` names a source; nil if it never saved.
    public func sourceNumber(ofBundleIdentifier bundleIdentifier: String) throws -> Int64? {
        try read { db in try SampleStore.sourceNumbers(bundleIdentifier, db).min() }
    }

    /// Forgets deletions up to a number of a change: whoever has not asked since then will not hear of
    /// them (Semantics §6.6).
    ///
    /// - Returns: How many were forgotten.
    @discardableResult
    public func purgeTombstones(through sequence: Int64) throws -> Int {
        let count = try write { db in
            // Those that imports left stay: an import looks at them before it adds.
            try db.execute(
                sql: "DELETE FROM tombstone WHERE sequence <= ? AND uuid IS NOT NULL",
                arguments: [sequence])
            let count = db.changesCount
            if count > 0 { try MetadataOrphans.forget(db) }
            return count
        }
        if count > 0 { emptyLog() }
        return count
    }
}

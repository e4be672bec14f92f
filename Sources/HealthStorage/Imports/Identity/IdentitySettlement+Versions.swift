import GRDB
import HealthEngine

extension IdentitySettlement {
    /// Of samples with one sync identifier, source and type only those of the highest version live,
    /// as HealthKit keeps them (Semantics §9.1).
    ///
    /// In the newest complete export the older version is replaced: it moves to `removed` and leaves
    /// a tombstone, and the newer one is a sample of its own. Any other import changes nothing: where
    /// the store has another version, the record of this file is left alone.
    func settleVersions() throws {
        try db.execute(sql: SyncVersions.sets)
        defer { try? db.execute(sql: "DROP TABLE temp.sync_set") }
        guard try Int.readOne(db, sql: "SELECT 1 FROM temp.sync_set LIMIT 1") != nil else {
            return
        }
        let rows = try RawStatement(db, SyncVersions.rows)
        var group: [SyncVersions.Row] = []
        while try rows.step() {
            try writer.pulse()
            let row = SyncVersions.Row(rows)
            if let first = group.first, !first.isAlike(row) {
                try settle(group)
                group.removeAll()
            }
            group.append(row)
        }
        try settle(group)
    }

    private func settle(_ group: [SyncVersions.Row]) throws {
        guard group.count > 1, let highest = group.map(\.version).max() else { return }
        let outdated = group.filter { $0.version < highest }
        if outdated.isEmpty { return }
        let old = group.filter { $0.sequence <= mark }
        if writer.outcome.kind != .snapshot, let old = old.first {
            for row in group where row.sequence > mark { try leave(row, infavourOf: old.sequence) }
            return
        }
        let winner = group.first { $0.version == highest }
        for row in outdated {
            if row.sequence <= mark {
                writer.next += 1
                try note(.replaced, row.sequence, replacement: writer.next)
                writer.outcome.replaced += 1
            } else {
                writer.outcome[writer.kind(row.type)].new -= 1
                writer.outcome[writer.kind(row.type)].repeated += 1
                writer.typeCounts[row.type, default: 0] -= 1
                try note(standIn: winner?.sequence, for: row.sequence)
            }
        }
    }

    /// A record that an addition may not put in another version's place.
    private func leave(_ row: SyncVersions.Row, infavourOf old: Int64) throws {
        writer.outcome[writer.kind(row.type)].new -= 1
        writer.outcome[writer.kind(row.type)].unchanged += 1
        writer.outcome.notApplied += 1
        writer.typeCounts[row.type, default: 0] -= 1
        try note(standIn: old, for: row.sequence)
    }
}

/// Where sync identifiers and versions stand, and how they are found without an index on metadata.
private enum SyncVersions {
    struct Row {
        var sequence: Int64
        var type: Int32
        var source: Int64
        var identifier: String
        var version: Double

        init(_ row: borrowing RawStatement) {
            sequence = row.int(0)
            type = Int32(truncatingIfNeeded: row.int(1))
            source = row.int(2)
            identifier = row.text(3) ?? ""
            version = row.double(4)
        }

        func isAlike(_ other: Row) -> Bool {
            type == other.type && source == other.source && identifier == other.identifier
        }
    }

    /// Metadata sets that name both an identifier and a version.
    static let sets = """
        CREATE TEMP TABLE sync_set AS
        SELECT id, identifier, version FROM (
            SELECT id, json_extract(entries, '$.HKMetadataKeySyncIdentifier') AS identifier,
                json_extract(entries, '$.HKMetadataKeySyncVersion') AS version
            FROM metadata WHERE entries LIKE '%"HKMetadataKeySyncIdentifier"%')
        WHERE typeof(identifier) IN ('text', 'integer', 'real')
            AND typeof(version) IN ('integer', 'real');
        CREATE UNIQUE INDEX temp.sync_set_id ON sync_set (id);
        """

    /// Live imported samples that share an identifier with another one; alike ones together.
    static let rows = """
        SELECT sequence, type, source, identifier, version FROM (
            SELECT sample.sequence, sample.type, origin.source AS source,
                CAST(sync_set.identifier AS TEXT) AS identifier, sync_set.version AS version,
                count(*) OVER (PARTITION BY sample.type, origin.source, sync_set.identifier) AS alike
            FROM sample
            JOIN temp.sync_set ON sync_set.id = sample.metadata
            JOIN origin ON origin.id = sample.origin
            WHERE sample.uuid IS NULL AND origin.source IS NOT NULL
                AND sample.sequence NOT IN (SELECT sequence FROM temp.gone)
                AND sample.sequence NOT IN (SELECT sequence FROM temp.stand_in))
        WHERE alike > 1
        ORDER BY type, source, identifier, version DESC, sequence
        """
}

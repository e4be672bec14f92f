import GRDB
import HealthEngine

extension IdentityResolution {
    /// Keeps only the samples of the highest version among imported samples with one sync
    /// identifier, source and type, like HealthKit (Semantics §9.1).
    ///
    /// In a snapshot, a stored sample of a lower version moves to `removed` and leaves a tombstone.
    /// Any other import changes no stored sample: if versions differ and one is stored, the new
    /// records are not applied. Lower versions within the file are dropped.
    func resolveVersions() throws {
        try db.execute(sql: SyncVersions.sets)
        // If this fails, the table is dropped with the connection or rolled back with the import.
        defer { try? db.execute(sql: "DROP TABLE temp.sync_set") }
        guard try Int.readOne(db, sql: "SELECT 1 FROM temp.sync_set LIMIT 1") != nil else {
            return
        }
        let rows = try StoreStatement<NoFields, SyncVersions.Column>(db, SyncVersions.rows)
        var group: [SyncVersions.Row] = []
        while try rows.step() {
            try writer.checkCancellation()
            let row = try SyncVersions.Row(rows)
            if let first = group.first, !first.hasSameIdentifier(as: row) {
                try resolveVersions(group)
                group.removeAll()
            }
            group.append(row)
        }
        try resolveVersions(group)
    }

    private func resolveVersions(_ group: [SyncVersions.Row]) throws {
        guard group.count > 1, let highest = group.map(\.version).max() else { return }
        let outdated = group.filter { $0.version < highest }
        if outdated.isEmpty { return }
        let old = group.filter { $0.sequence <= mark }
        if writer.outcome.kind != .snapshot, let old = old.first {
            for row in group where row.sequence > mark { try drop(row, inFavorOf: old.sequence) }
            return
        }
        let newest = group.first { $0.version == highest }
        for row in outdated {
            if row.sequence <= mark {
                writer.next += 1
                try note(.replaced, row.sequence, replacement: writer.next)
                writer.outcome.replaced += 1
            } else {
                writer.outcome[writer.kind(row.type)].new -= 1
                writer.outcome[writer.kind(row.type)].repeated += 1
                writer.typeCounts[row.type, default: 0] -= 1
                try note(standIn: newest?.sequence, for: row.sequence)
            }
        }
    }

    /// Drops a new record in favour of a stored version, which an addition must not replace.
    private func drop(_ row: SyncVersions.Row, inFavorOf old: Int64) throws {
        writer.outcome[writer.kind(row.type)].new -= 1
        writer.outcome[writer.kind(row.type)].unchanged += 1
        writer.outcome.notApplied += 1
        writer.typeCounts[row.type, default: 0] -= 1
        try note(standIn: old, for: row.sequence)
    }
}

/// Queries for sync identifiers and versions, which work without an index on metadata.
private enum SyncVersions {
    enum Column: Int32, StatementField { case sequence, type, source, identifier, version }

    struct Row {
        var sequence: Int64
        var type: Int32
        var source: Int64
        var identifier: String
        var version: Double

        init(_ row: borrowing StoreStatement<NoFields, Column>) throws {
            sequence = row.int(.sequence)
            type = Int32(truncatingIfNeeded: row.int(.type))
            source = row.int(.source)
            identifier = try row.text(.identifier) ?? ""
            version = row.double(.version)
        }

        func hasSameIdentifier(as other: Row) -> Bool {
            type == other.type && source == other.source && identifier == other.identifier
        }
    }

    /// Creates a table of the metadata that has both a sync identifier and a version.
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

    /// Selects the imported samples, stored before or by this import, that share type, source and
    /// sync identifier. They are grouped by these, with the highest version first.
    static let rows = """
        SELECT \(Column.columns) FROM (
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

import Foundation
import GRDB
public import HealthEngine

extension SampleStore {
    /// Calls `body` with the samples of a query in batches, in (start, key) order, from one
    /// consistent state of the file. Samples are not merged.
    ///
    /// - Parameters:
    ///   - query: The samples to read.
    ///   - size: The maximum number of samples in a batch, which bounds the memory used.
    ///   - limit: The maximum number of samples in total, from the earliest one; nil for no limit.
    ///   - body: Receives each batch, which is never empty, and the UUIDs of its samples in upper
    ///     case.
    /// - Throws: ``StoreError``, also if no source or several have a name of the query, and
    ///   errors of `body`.
    /// - Complexity: O(log n + samples in the range).
    public func forEachBatch(
        _ query: SampleQuery, of size: Int = 10_000, limit: Int? = nil,
        _ body: (SampleBatch, _ uuids: [String]) throws -> Void
    ) throws {
        try read { db in
            let mayHaveOwn =
                try Int.readOne(db, sql: "SELECT 1 FROM sample WHERE uuid IS NOT NULL LIMIT 1")
                != nil
            try SampleStore.forEachBatch(
                query, sourceTable(db), of: size, limit: limit, db
            ) { batch in
                let own = mayHaveOwn ? try SampleStore.ownUUIDs(batch, db) : [:]
                try body(batch, batch.samples.map { own[$0.sequence] ?? $0.importedUUID })
            }
        }
    }

    static func forEachBatch(
        _ query: SampleQuery, _ table: SourceTable, of size: Int, limit: Int?,
        _ db: Database, _ body: (SampleBatch) throws -> Void
    ) throws {
        let empty = SampleBatch(sources: table.sources, origins: table.origins)
        var batch = empty
        var metadata: [Int64: Int32] = [:]
        var remaining = limit ?? .max
        try SampleReader(db, query, table).forEach { row in
            if remaining <= 0 { return .stop }
            remaining -= 1
            var sample = row.sample
            if row.metadata != 0 {
                if let index = metadata[row.metadata] {
                    sample.metadata = index
                } else {
                    sample.metadata = Int32(batch.metadata.count)
                    metadata[row.metadata] = sample.metadata
                    batch.metadata.append(try SampleStore.metadata(row.metadata, db))
                }
            }
            batch.samples.append(sample)
            if batch.samples.count >= size {
                try addDetails(to: &batch, query.type, db)
                try body(batch)
                batch = empty
                metadata = [:]
            }
            return .next
        }
        if batch.samples.isEmpty { return }
        try addDetails(to: &batch, query.type, db)
        try body(batch)
    }

    /// Adds the details of the batch with one query, if samples of the type's kind can have
    /// details.
    private static func addDetails(
        to batch: inout SampleBatch, _ type: SampleType, _ db: Database
    ) throws {
        guard [.workout, .activitySummary, .quantity, .other].contains(type.kind) else { return }
        try addDetails(to: &batch, db)
    }

    /// Adds the details of all samples of a batch.
    static func addDetails(to batch: inout SampleBatch, _ db: Database) throws {
        let rows = try CheckedRow.readAll(
            db,
            sql: "SELECT sequence, content FROM detail "
                + "WHERE sequence IN (SELECT value FROM json_each(?))",
            arguments: [sequences(batch)])
        if rows.isEmpty { return }
        let details = Dictionary(
            try rows.map { (row) -> (Int64, String) in (try row["sequence"], try row["content"]) },
            uniquingKeysWith: { first, _ in first })
        for (index, sample) in batch.samples.enumerated() {
            guard let text = details[sample.sequence] else { continue }
            batch.details[index] = try StoredText.detail(from: text)
        }
    }

    /// Returns the sequence numbers of a batch's samples as a JSON array.
    static func sequences(_ batch: SampleBatch) -> String {
        "[" + batch.samples.map { String($0.sequence) }.joined(separator: ",") + "]"
    }

    /// Returns the UUIDs of the samples of a batch that have one of their own, by sequence number.
    static func ownUUIDs(_ batch: SampleBatch, _ db: Database) throws -> [Int64: String] {
        let rows = try CheckedRow.readAll(
            db,
            sql: "SELECT sequence, uuid FROM sample WHERE uuid IS NOT NULL "
                + "AND sequence IN (SELECT value FROM json_each(?))",
            arguments: [sequences(batch)])
        return Dictionary(
            try rows.compactMap { row -> (Int64, String)? in
                let uuid: Data = try row["uuid"]
                return try ImportedIdentity.text(stored: uuid).map { (try row["sequence"], $0) }
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension ImportedIdentity {
    /// Returns the text of a stored UUID; nil unless it is 16 bytes long.
    static func text(stored uuid: Data) -> String? {
        guard uuid.count == 16 else { return nil }
        let halves = [uuid.prefix(8), uuid.suffix(8)].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        return text((halves[0], halves[1]))
    }
}

extension Sample {
    /// The UUID of an imported sample, derived from type, start and key, in upper case.
    var importedUUID: String {
        ImportedIdentity.text(ImportedIdentity.uuid(type: type, start: start, key: key))
    }
}

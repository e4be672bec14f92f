import Foundation
import GRDB
public import HealthEngine

extension SampleStore {
    /// Hands the samples a question asks for to `body`, batch by batch, in (start, key) order, as
    /// one consistent look at the file.
    ///
    /// - Parameters:
    ///   - size: The most samples in a batch: memory does not grow with their number.
    ///   - limit: The most samples in all, from the earliest on; nil for all.
    ///   - body: Gets each batch, never an empty one, and the UUIDs of its samples, in upper case.
    /// - Throws: ``StoreError``, also if a source's name fits none or several, and what `body` throws.
    /// - Complexity: O(log n + samples in the range).
    public func forEachBatch(
        _ question: SampleQuestion, of size: Int = 10_000, limit: Int? = nil,
        _ body: (SampleBatch, _ uuids: [String]) throws -> Void
    ) throws {
        try read { db in
            let mayHaveOwn =
                try Int.readOne(db, sql: "SELECT 1 FROM sample WHERE uuid IS NOT NULL LIMIT 1")
                != nil
            try SampleStore.forEachBatch(
                question, sourceTable(db), of: size, limit: limit, db
            ) { batch in
                let own = mayHaveOwn ? try SampleStore.ownUUIDs(batch, db) : [:]
                try body(batch, batch.samples.map { own[$0.sequence] ?? $0.importedUUID })
            }
        }
    }

    static func forEachBatch(
        _ question: SampleQuestion, _ table: SourceTable, of size: Int, limit: Int?,
        _ db: Database, _ body: (SampleBatch) throws -> Void
    ) throws {
        let empty = SampleBatch(sources: table.sources, origins: table.origins)
        var batch = empty
        var metadata: [Int64: Int32] = [:]
        var left = limit ?? .max
        try SampleReader(db, question, table).forEach { row in
            if left <= 0 { return .stop }
            left -= 1
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
                try addDetails(to: &batch, question.type, db)
                try body(batch)
                batch = empty
                metadata = [:]
            }
            return .next
        }
        if batch.samples.isEmpty { return }
        try addDetails(to: &batch, question.type, db)
        try body(batch)
    }

    /// Workouts, rings, heartbeats, routes: one look-up for the whole batch.
    private static func addDetails(
        to batch: inout SampleBatch, _ type: SampleType, _ db: Database
    ) throws {
        guard [.workout, .activitySummary, .quantity, .other].contains(type.kind) else { return }
        try addDetails(to: &batch, db)
    }

    /// The structured parts of all samples of a batch.
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

    static func sequences(_ batch: SampleBatch) -> String {
        "[" + batch.samples.map { String($0.sequence) }.joined(separator: ",") + "]"
    }

    /// The UUIDs of those samples of a batch that were saved with one, by sequence number.
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
    /// The text of a UUID as the file holds it; nil unless it is 16 bytes long.
    static func text(stored uuid: Data) -> String? {
        guard uuid.count == 16 else { return nil }
        let halves = [uuid.prefix(8), uuid.suffix(8)].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        return text((halves[0], halves[1]))
    }
}

extension Sample {
    /// The UUID that follows from type, start and key.
    var importedUUID: String {
        ImportedIdentity.text(ImportedIdentity.uuid(type: type, start: start, key: key))
    }
}

package import Foundation
import GRDB
package import HealthEngine

// Reading and removing the files that are attached to samples. They are read in chunks, each in a
// transaction of its own, so that a long file blocks no writer and takes no memory.
extension SampleStore {
    /// Returns the attachments of a sample, in the order in which they were attached, then the
    /// files of exports that the sample names.
    ///
    /// - Parameter sample: The sample.
    /// - Returns: The attachments that are complete.
    /// - Throws: ``StoreError`` of code `unknownSample` if the sample isn't stored, or another if
    ///   the file can't be read.
    /// - Complexity: O(log n + attachments + files of `attachments` in exports if the sample names
    ///   any).
    package func attachments(of sample: SampleUUID) throws -> [StoredAttachment] {
        try read { db in
            let row = try StoredRows(db).require(sample)
            return try SampleStore.attachments(
                "WHERE sample = ? AND staged IS NULL ORDER BY id", [row.sequence], db
            )
            .map(\.attachment) + ExportedAttachments.named(by: row, db).map(\.attachment)
        }
    }

    /// Returns an attachment of a sample.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the attachment.
    ///   - sample: The sample.
    /// - Returns: The attachment; nil if it was removed or never was complete, or if the sample
    ///   isn't stored.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: As for ``attachments(of:)``.
    package func attachment(
        _ identifier: SampleUUID, of sample: SampleUUID
    ) throws -> StoredAttachment? {
        try read { db in
            guard let row = try StoredRows(db).find(sample) else { return nil }
            let own = try SampleStore.attachments(
                "WHERE uuid = ? AND sample = ? AND staged IS NULL",
                [identifier.blob, row.sequence], db)
            if let own = own.first { return own.attachment }
            return try ExportedAttachments.named(by: row, db).map(\.attachment)
                .first { $0.identifier == identifier }
        }
    }

    /// Returns a chunk of an attachment's bytes.
    ///
    /// - Parameters:
    ///   - position: The number of the chunk, from 0. All but the last one have
    ///     ``StoredAttachment/chunkSize`` bytes.
    ///   - attachment: The attachment, as it was read.
    ///   - sample: The sample to which it belongs.
    /// - Returns: The bytes; nil if the attachment was removed, or has no such chunk.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(log n), for a file of an export O(its bytes up to the chunk).
    package func chunk(
        _ position: Int64, of attachment: StoredAttachment, on sample: SampleUUID
    ) throws -> Data? {
        try read { db in
            guard let row = try StoredRows(db).find(sample) else { return nil }
            if attachment.exportedIdentifier != nil {
                return try ExportedAttachments.named(by: row, db)
                    .first { $0.attachment.identifier == attachment.identifier }
                    .flatMap { try ExportedAttachments.chunk(position, ofFile: $0.file, db) }
            }
            return try Data.readOne(
                db,
                sql: """
                    SELECT content FROM attachment
                    JOIN attachment_chunk ON attachment_chunk.attachment = attachment.id
                    WHERE uuid = ? AND sample = ? AND staged IS NULL AND position = ?
                    """,
                arguments: [attachment.identifier.blob, row.sequence, position])
        }
    }

    /// Removes an attachment that a program attached to a sample of its own.
    ///
    /// It is hidden at once. Its bytes are overwritten in several transactions, so that other
    /// writers wait only briefly; the call returns after the last one.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the attachment.
    ///   - sample: The sample.
    ///   - bundleIdentifier: The source of the sample.
    /// - Throws: ``StoreError``: `unknownSample` if the sample isn't stored or doesn't have the
    ///   attachment, `notOwner` if it has another source or the file is one of an export.
    /// - Complexity: O(bytes of the attachment).
    package func removeAttachment(
        _ identifier: SampleUUID, from sample: SampleUUID, by bundleIdentifier: String
    ) throws {
        let id = try write { db in
            let sequence = try SampleStore.own(sample, of: bundleIdentifier, db)
            let row = try SampleStore.attachments(
                "WHERE uuid = ? AND sample = ? AND staged IS NULL",
                [identifier.blob, sequence], db
            ).first
            guard let row else { throw StoreError(.unknownAttachment(identifier)) }
            // Whatever the clock says, the row is one that a crash could have left.
            try db.execute(
                sql: "UPDATE attachment SET staged = ? WHERE id = ?",
                arguments: [-ColumnRule.latestTime, row.id])
            return row.id
        }
        try deleteStaged(id)
        truncateWAL()
    }

    /// Returns the sequence number of a sample of a source.
    ///
    /// - Throws: ``StoreError``: `unknownSample`, or `notOwner` if it has another source.
    static func own(
        _ sample: SampleUUID, of bundleIdentifier: String, _ db: Database
    ) throws -> Int64 {
        let row = try StoredRows(db).require(sample)
        guard try sourceNumbers(bundleIdentifier, db).contains(row.source) else {
            throw StoreError(.notOwner(sample, bundleIdentifier: bundleIdentifier))
        }
        return row.sequence
    }

    /// A row of `attachment`.
    struct AttachmentRow {
        var id: Int64
        /// The sequence number of the sample.
        var sample: Int64
        var attachment: StoredAttachment
    }

    /// Reads rows of `attachment`.
    ///
    /// - Parameters:
    ///   - condition: The rest of the statement after `FROM attachment`.
    ///   - arguments: Its arguments.
    static func attachments(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [AttachmentRow] {
        try CheckedRow.readAll(
            db,
            sql: "SELECT id, uuid, sample, name, content_type, size, created, metadata "
                + "FROM attachment \(condition)",
            arguments: arguments
        ).map { row in
            let (uuid, size): (Data, Int64) = (try row["uuid"], try row["size"])
            guard let identifier = ImportedIdentity.text(stored: uuid).flatMap(SampleUUID.init),
                size >= 0
            else { throw StoreError.damaged("attachment.uuid or attachment.size") }
            return AttachmentRow(
                id: try row["id"], sample: try row["sample"],
                attachment: StoredAttachment(
                    identifier: identifier, name: try row["name"],
                    contentType: try row["content_type"], size: size, created: try row["created"],
                    metadata: try StoredText.metadata(from: row["metadata"])))
        }
    }

    /// Returns the attachments of the samples of a batch, by index of the sample.
    static func attachments(
        of batch: SampleBatch, _ db: Database
    ) throws -> [Int: [StoredAttachment]] {
        var places: [Int64: Int] = [:]
        for (index, sample) in batch.samples.enumerated() { places[sample.sequence] = index }
        let rows = try attachments(
            "WHERE staged IS NULL AND sample IN (SELECT value FROM json_each(?)) ORDER BY id",
            [sequences(batch)], db)
        var found: [Int: [StoredAttachment]] = [:]
        for row in rows {
            if let place = places[row.sample] { found[place, default: []].append(row.attachment) }
        }
        return found
    }

    /// Passes every attachment that a program attached to a closure, and its bytes in chunks to
    /// another one.
    ///
    /// - Parameters:
    ///   - begin: Receives each attachment, in the order in which they were attached.
    ///   - append: Receives each chunk of the attachment that `begin` received last.
    /// - Throws: ``StoreError`` if the file can't be read or a chunk is missing, and errors of the
    ///   closures.
    /// - Complexity: O(bytes of the attachments), with one chunk in memory.
    package func forEachAttachment(
        _ begin: (StoredAttachment) throws -> Void, chunk append: (Data) throws -> Void
    ) throws {
        try read { db in
            for row in try SampleStore.attachments("WHERE staged IS NULL ORDER BY id", [], db) {
                try begin(row.attachment)
                for position in 0..<row.attachment.chunkCount {
                    let chunk = try Data.readOne(
                        db,
                        sql: "SELECT content FROM attachment_chunk "
                            + "WHERE attachment = ? AND position = ?",
                        arguments: [row.id, position])
                    guard let chunk else {
                        throw StoreError(.missingRow(at: "attachment_chunk of \(row.id)"))
                    }
                    try append(chunk)
                }
            }
        }
    }
}

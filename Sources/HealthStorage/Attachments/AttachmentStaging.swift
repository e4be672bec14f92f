import Foundation
import GRDB
package import HealthEngine

/// An attachment that is being stored. Nobody finds it before ``publish()``.
///
/// ```swift
/// let staging = try store.stageAttachment(new, on: sample, by: "com.example.app", at: now)
/// while let bytes = try file.next() { try staging.append(bytes, at: clock.now) }
/// try staging.publish()
/// ```
/// Each call is a transaction of its own, so that other writers wait for some megabytes at most and
/// the write-ahead log stays small. What a crash leaves is removed by a later call of
/// ``SampleStore/removeStaleAttachments(at:)``.
package final class AttachmentStaging {
    private let store: SampleStore
    private let id: Int64
    /// The attachment. Its size grows with each call.
    package private(set) var attachment: StoredAttachment

    fileprivate init(_ store: SampleStore, _ id: Int64, _ attachment: StoredAttachment) {
        self.store = store
        self.id = id
        self.attachment = attachment
    }

    /// The number of bytes that one call should store: 4 MiB.
    package static let preferredSize = 16 * StoredAttachment.chunkSize

    /// Stores the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes. Only in the last call their number may be other than a multiple of
    ///     ``StoredAttachment/chunkSize``.
    ///   - now: The current time, in reference seconds.
    /// - Throws: ``StoreError``: `unknownSample` if the sample was deleted meanwhile,
    ///   `invalidArgument` after a call with another number of bytes, or another if the file can't
    ///   be written.
    /// - Complexity: O(bytes).
    package func append(_ bytes: UnsafeRawBufferPointer, at now: Double) throws {
        let chunk = StoredAttachment.chunkSize
        guard attachment.size % Int64(chunk) == 0 else {
            throw StoreError(.invalidAttachment(.unevenChunk))
        }
        let size = attachment.size + Int64(bytes.count)
        try store.write { db in
            try update("size = ?, staged = ?", [size, AttachmentStaging.bounded(now)], db)
            var position = attachment.size / Int64(chunk)
            var rest = bytes
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(chunk))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
                try db.executeKept(
                    sql: "INSERT INTO attachment_chunk (attachment, position, content) "
                        + "VALUES (?, ?, ?)",
                    arguments: [id, position, Data(part)])
                position += 1
            }
        }
        attachment.size = size
    }

    /// Makes the attachment visible, with all bytes that were stored.
    ///
    /// - Throws: ``StoreError`` as ``append(_:at:)``.
    package func publish() throws {
        try store.write { db in try update("staged = ?", [nil], db) }
    }

    /// Removes what was stored so far.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    package func discard() throws {
        try store.deleteStaged(id, attachment.identifier)
        store.truncateWAL()
    }

    /// Changes the row of the attachment. It is missing if the sample was deleted, or if the row
    /// was taken for one that a crash had left.
    private func update(
        _ assignments: String, _ values: [(any DatabaseValueConvertible)?], _ db: Database
    ) throws {
        try db.executeKept(
            sql: "UPDATE attachment SET \(assignments) "
                + "WHERE id = ? AND uuid = ? AND staged IS NOT NULL",
            arguments: StatementArguments(values + [id, attachment.identifier.blob]))
        guard db.changesCount == 1 else {
            throw StoreError(.unknownAttachment(attachment.identifier))
        }
    }

    fileprivate static func bounded(_ now: Double) -> Double {
        now.isNaN ? 0 : min(max(now, -ColumnRule.latestTime), ColumnRule.latestTime)
    }
}

extension SampleStore {
    /// Begins to store an attachment of a sample, and removes what earlier attempts have left.
    ///
    /// - Parameters:
    ///   - new: The attachment. Its size is ignored.
    ///   - sample: The sample.
    ///   - bundleIdentifier: The source of the sample.
    ///   - now: The current time, in reference seconds.
    /// - Returns: The attachment without bytes.
    /// - Throws: ``StoreError``: `invalidArgument` for an empty or too long name or type, one with
    ///   control characters, too much metadata, or an identifier that is stored already;
    ///   `unknownSample` if the sample isn't stored; `notOwner` if it has another source.
    /// - Complexity: O(log n), without what is removed.
    package func stageAttachment(
        _ new: StoredAttachment, on sample: SampleUUID, by bundleIdentifier: String, at now: Double
    ) throws -> AttachmentStaging {
        let metadata = StoredText.metadata(new.metadata)
        try SampleStore.check(new, metadata)
        try removeStaleAttachments(at: now)
        var attachment = new
        attachment.size = 0
        attachment.created = AttachmentStaging.bounded(new.created)
        let id = try write { db in
            let sequence = try SampleStore.own(sample, of: bundleIdentifier, db)
            let known = try Int.readOne(
                db, sql: "SELECT 1 FROM attachment WHERE uuid = ?",
                arguments: [new.identifier.blob])
            if known != nil { throw StoreError(.invalidAttachment(.storedUUID)) }
            try db.execute(
                sql: """
                    INSERT INTO attachment
                        (uuid, sample, name, content_type, size, created, metadata, staged)
                    VALUES (?, ?, ?, ?, 0, ?, ?, ?)
                    """,
                arguments: [
                    new.identifier.blob, sequence, new.name, new.contentType, attachment.created,
                    metadata, AttachmentStaging.bounded(now),
                ])
            return db.lastInsertedRowID
        }
        return AttachmentStaging(self, id, attachment)
    }

    private static func check(_ new: StoredAttachment, _ metadata: String) throws {
        for text in [new.name, new.contentType ?? ""] {
            let isPlain = !text.unicodeScalars.contains {
                $0.properties.generalCategory == .control
            }
            guard !text.isEmpty, isPlain,
                text.utf8.count <= StoredAttachment.maximumNameLength
            else { throw StoreError(.invalidAttachment(.invalidName)) }
        }
        guard metadata.utf8.count <= StoredAttachment.maximumMetadataLength else {
            throw StoreError(.invalidAttachment(.metadataTooLong))
        }
    }

    /// How long an attachment that isn't complete may rest before it counts as left by a crash, in
    /// seconds.
    private static let stagingLifetime: Double = 3_600

    /// Removes attachments that were never completed: those of programs that ended meanwhile. Their
    /// last bytes are more than an hour old.
    ///
    /// - Parameter now: The current time, in reference seconds.
    /// - Throws: ``StoreError`` if the file can't be written.
    /// - Complexity: O(log n) if there are none, which writes nothing.
    package func removeStaleAttachments(at now: Double) throws {
        let now = AttachmentStaging.bounded(now)
        let stale = try read { db in
            try Int64.readAll(
                db,
                sql: "SELECT id FROM attachment WHERE staged IS NOT NULL "
                    + "AND abs(staged - ?) > ?",
                arguments: [now, SampleStore.stagingLifetime])
        }
        for id in stale { try deleteStaged(id) }
        if !stale.isEmpty { truncateWAL() }
    }

    /// Deletes an attachment that isn't complete, some chunks at a time.
    ///
    /// - Parameters:
    ///   - id: The number of its row.
    ///   - identifier: Its identifier; nil for any.
    func deleteStaged(_ id: Int64, _ identifier: SampleUUID? = nil) throws {
        var isGone = false
        while !isGone {
            isGone = try write { db in
                let found = try Int.readOne(
                    db,
                    sql: "SELECT 1 FROM attachment WHERE id = ? AND staged IS NOT NULL "
                        + "AND uuid = ifnull(?, uuid)",
                    arguments: [id, identifier?.blob])
                if found == nil { return true }
                try db.execute(
                    sql: """
                        DELETE FROM attachment_chunk WHERE id IN (
                            SELECT id FROM attachment_chunk WHERE attachment = ? LIMIT 64)
                        """, arguments: [id])
                if db.changesCount > 0 { return false }
                try db.execute(sql: "DELETE FROM attachment WHERE id = ?", arguments: [id])
                return true
            }
        }
    }
}

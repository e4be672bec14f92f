import Foundation
import HealthEngine

/// A copy of a person's store that the log has.
struct StoredCopy: Hashable, Sendable {
    /// The state that it has. The epoch is that of the head now.
    var head: LogHead
    var keyVersion: Int64
    var schema: String
    /// The identifier of the chunks.
    var copy: String
    var manifest: [UInt8]
    /// The number of bytes in the log.
    var bytes: Int64
    var writer: String
    var isVerified: Bool
}

extension ChangeLog {
    /// Returns the newest copy of a person's store; nil for an unknown or erased person.
    func newestCopy(of person: String) throws -> StoredCopy? {
        try transaction(.readOnly, of: person) { connection in
            try connection.execute(
                """
                SELECT s.number, s.hash, h.epoch, s.key_version, s.schema, s.copy, s.manifest, s.bytes,
                    s.written_by, s.verified_at IS NOT NULL
                FROM snapshot s JOIN person_head h ON h.person = s.person
                WHERE s.person = $1 AND h.erased = 0 ORDER BY s.number DESC LIMIT 1
                """, [.text(person)]
            ).rows.first.map { row in
                StoredCopy(
                    head: try LogHead(row, from: 0), keyVersion: Int64(try row.int(3)),
                    schema: try row.text(4), copy: try row.text(5), manifest: try row.bytes(6),
                    bytes: Int64(try row.int(7)), writer: try row.text(8),
                    isVerified: try row.bool(9))
            }
        }
    }

    /// Writes the file of a copy to a path, which must not exist.
    ///
    /// - Throws: ``PeopleError/damagedLog`` if a chunk is missing or isn't what was written;
    ///   ``PeopleError/cacheFailed(_:)``; ``SQLError``.
    func restore(
        _ copy: StoredCopy, of person: String, with key: PersonKey, to path: String
    ) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PeopleError.cacheFailed(path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? file.close() }
        let manifest = try StoreCopy(
            json: SealedBytes.open(
                copy.manifest, with: key.key,
                boundTo: StoreCopy.binding(person, copy.copy, copy.head)))
        var (digest, bytes) = (SHA256(), 0)
        // An empty file has no chunk.
        for index in 0..<manifest.chunks {
            let content = try chunk(index, of: copy, person, key)
            digest.update(content)
            bytes += content.count
            do { try file.write(contentsOf: content) } catch { throw PeopleError.cacheFailed(path) }
        }
        guard bytes == manifest.bytes, HexadecimalText.text(digest.bytes()) == manifest.digest
        else { throw PeopleError.damagedLog }
    }

    private func chunk(
        _ index: Int, of copy: StoredCopy, _ person: String, _ key: PersonKey
    ) throws -> [UInt8] {
        let payload = try transaction(.readOnly, of: person) { connection in
            try connection.execute(
                "SELECT payload FROM snapshot_chunk WHERE person = $1 AND copy = $2 "
                    + "AND \"index\" = $3",
                [.text(person), .text(copy.copy), .integer(Int64(index))]
            ).rows.first.map { try $0.bytes(0) }
        }
        guard let payload else { throw PeopleError.damagedLog }
        return try SealedBytes.open(
            payload, with: key.key, boundTo: StoreCopy.binding(person, copy.copy, index))
    }

    /// Writes the chunks of a copy.
    func writeChunks(_ copy: inout SealedCopy, of person: String, at moment: Double) throws {
        try copy.writeChunks(of: person, at: moment) { body in
            try transaction(.readWrite, of: person) { connection in
                try ChangeLog.lock(person, connection)
                try body(connection)
            }
        }
    }

    /// Adds a snapshot of the state at a head, whose chunks are written. The log's end doesn't
    /// change.
    ///
    /// - Returns: False if the state isn't in the log any more, or another node was faster.
    func addSnapshot(
        _ copy: SealedCopy, of person: String, at head: LogHead, writtenAt moment: Double
    ) throws -> Bool {
        do {
            return try transaction(.readWrite, of: person) { connection in
                try ChangeLog.lock(person, connection)
                guard try ChangeLog.hash(head.number, of: person, connection) == head.hash else {
                    return false
                }
                try copy.publish(of: person, head, at: moment, connection)
                return true
            }
        } catch let error as SQLError {
            if case .uniqueViolation = error.code { return false }
            throw error
        }
    }

    /// Marks a copy as restored and compared by another process than its writer.
    func markVerified(_ copy: StoredCopy, of person: String, at moment: Double) throws {
        try transaction(.readWrite, of: person) { connection in
            _ = try connection.execute(
                "UPDATE snapshot SET verified_at = $1 WHERE person = $2 AND number = $3",
                [.real(moment), .text(person), .integer(copy.head.number)])
        }
    }

    /// Returns the hash of an entry; nil if it isn't in the log, or was dropped with the next one.
    private static func hash(
        _ number: Int64, of person: String, _ connection: any SQLConnection
    ) throws -> [UInt8]? {
        let parameters: [SQLValue] = [.text(person), .integer(number)]
        let rows = try connection.execute(
            "SELECT hash FROM person_head WHERE person = $1 AND head = $2 "
                + "UNION ALL SELECT prev_hash FROM entry WHERE person = $1 AND number = $2 + 1",
            parameters
        ).rows
        return try rows.first?.bytes(0)
    }

    /// How long chunks can be without a copy: until they are published, or permanently if their
    /// writer was killed.
    private static let orphanAge = 86_400.0

    /// Drops the entries and copies below the newest verified copy, and receipts, that were written
    /// before a time; also chunks that a killed process has left.
    ///
    /// - Returns: The number of entries.
    func dropEntries(of person: String, writtenBefore moment: Double) throws -> Int {
        try transaction(.readWrite, of: person) { connection in
            try ChangeLog.lock(person, connection)
            let verified = try connection.execute(
                "SELECT coalesce(max(number), 0) FROM snapshot "
                    + "WHERE person = $1 AND verified_at IS NOT NULL", [.text(person)]
            ).rows[0].int(0)
            let limits: [SQLValue] = [.text(person), .integer(Int64(verified)), .real(moment)]
            let dropped = try connection.execute(
                "DELETE FROM entry WHERE person = $1 AND number < $2 AND written_at < $3", limits)
            _ = try connection.execute(
                "DELETE FROM snapshot WHERE person = $1 AND number < $2 AND written_at < $3",
                limits)
            _ = try connection.execute(
                "DELETE FROM snapshot_chunk WHERE person = $1 AND written_at < $2 "
                    + "AND copy NOT IN (SELECT copy FROM snapshot WHERE person = $1)",
                [.text(person), .real(moment - ChangeLog.orphanAge)])
            _ = try connection.execute(
                "DELETE FROM receipt WHERE person = $1 AND written_at < $2",
                [.text(person), .real(moment)])
            _ = try connection.execute(
                """
                UPDATE person_head SET bytes =
                    (SELECT CAST(coalesce(sum(length(payload)), 0) AS bigint) FROM entry
                        WHERE person = $1)
                    + (SELECT CAST(coalesce(sum(s.bytes), 0) AS bigint) FROM snapshot s
                        JOIN entry e ON e.person = s.person AND e.number = s.number
                        WHERE s.person = $1 AND e.kind = 'checkpoint')
                WHERE person = $1
                """, [.text(person)])
            return dropped.affectedRows
        }
    }
}

import Foundation
import GRDB
import GRDBSQLite
package import HealthEngine

/// The files of exports that samples name as their attachments. They stay in `export_file`, where
/// the import has kept them, so an undo and a later export need no rule of their own.
enum ExportedAttachments {
    /// An attachment, and its row of `export_file`.
    struct Match {
        var attachment: StoredAttachment
        var file: Int64
    }

    /// Returns the files that a sample names, in its order. Identifiers without a file are left
    /// out.
    ///
    /// - Complexity: O(1) for a store without such files; otherwise O(files).
    static func named(by row: StoredRows.FoundRow, _ db: Database) throws -> [Match] {
        guard try hasFiles(db), let detail = try DetailReader(db).detail(row.sequence) else {
            return []
        }
        return try matches(detail.attachmentIdentifiers, start: row.start, db)
    }

    /// Returns the files that identifiers refer to, in their order.
    static func matches(
        _ identifiers: [String], start: Double, _ db: Database
    ) throws -> [Match] {
        if identifiers.isEmpty { return [] }
        let files = try files(db)
        let index = AttachmentFileIndex(files.map(\.name))
        return try identifiers.compactMap { identifier in
            guard let place = index.index(of: identifier) else { return nil }
            let (file, path) = files[place]
            let size = try Int64.readOne(
                db, sql: "SELECT length(content) FROM export_file WHERE id = ?", arguments: [file])
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return Match(
                attachment: StoredAttachment(
                    identifier: SampleUUID(exportedAttachment: identifier), name: name,
                    contentType: nil, size: size ?? 0, created: start,
                    exportedIdentifier: identifier),
                file: file)
        }
    }

    /// Returns a chunk of a file; nil if the file has no such chunk.
    static func chunk(_ position: Int64, ofFile id: Int64, _ db: Database) throws -> Data? {
        var blob: OpaquePointer?
        let code = sqlite3_blob_open(
            db.sqliteConnection, "main", "export_file", "content", id, 0, &blob)
        // A blob that wasn't opened is nil, which is allowed here.
        defer { sqlite3_blob_close(blob) }
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        let (size, chunk) = (Int64(sqlite3_blob_bytes(blob)), Int64(StoredAttachment.chunkSize))
        guard position >= 0, position <= size / chunk, position * chunk < size else { return nil }
        let count = min(chunk, size - position * chunk)
        var bytes = Data(count: Int(count))
        let result = bytes.withUnsafeMutableBytes { buffer in
            sqlite3_blob_read(
                blob, buffer.baseAddress, Int32(clamping: count), Int32(clamping: position * chunk))
        }
        guard result == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: result))
        }
        return bytes
    }

    private static let kind = SnapshotWriter.CompanionKind.attachment.rawValue

    private static func hasFiles(_ db: Database) throws -> Bool {
        try Int.readOne(
            db, sql: "SELECT 1 FROM export_file WHERE kind = ? LIMIT 1", arguments: [kind]) != nil
    }

    /// Returns the files, of several with one name that of the newest import.
    private static func files(_ db: Database) throws -> [(id: Int64, name: String)] {
        var seen: Set<String> = []
        let rows = try CheckedRow.readAll(
            db,
            sql: "SELECT id, name FROM export_file WHERE kind = ? ORDER BY import DESC, id DESC",
            arguments: [kind])
        return try rows.compactMap { row in
            let (id, name): (Int64, String) = (try row["id"], try row["name"])
            return seen.insert(name).inserted ? (id, name) : nil
        }
    }
}

extension SampleUUID {
    /// Creates the identifier of an attachment from the one in an export, which is kept if it is a
    /// UUID. Otherwise the UUID is derived from its characters.
    package init(exportedAttachment identifier: String) {
        if let uuid = SampleUUID(identifier) {
            self = uuid
            return
        }
        let hash = FNV1a.hash(of: identifier)
        // A UUID of version 8 and variant 2.
        self.init(
            high: hash & ~0xF000 | 0x8000,
            low: ImportedIdentity.mix(hash) >> 2 | 0x8000_0000_0000_0000)
    }
}

extension SnapshotWriter {
    /// Returns how many files of the export's folder `attachments` no sample names. They are kept,
    /// but belong to nothing. Call it after ``finish(_:)``.
    ///
    /// - Parameter paths: The paths of the files.
    /// - Throws: An error if the store can't be read.
    /// - Complexity: O(vision prescriptions + files).
    package func unnamedAttachments(among paths: [String]) throws -> Int {
        if paths.isEmpty { return 0 }
        let index = AttachmentFileIndex(paths)
        var named: Set<Int> = []
        try CheckedRow.forEach(
            db,
            sql: "SELECT content FROM detail JOIN sample USING (sequence) "
                + "JOIN type ON type.code = sample.type WHERE type.identifier = ?",
            arguments: [SnapshotWriter.namingType]
        ) { row in
            let detail = try StoredText.detail(from: row["content"])
            named.formUnion(detail.attachmentIdentifiers.compactMap { index.index(of: $0) })
        }
        return paths.count - named.count
    }

    /// The type whose elements name attachments (ExportFormat §2.1).
    private static let namingType = "HKVisionPrescriptionTypeIdentifier"
}

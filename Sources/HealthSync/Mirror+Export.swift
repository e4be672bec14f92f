public import Foundation
import GRDB

extension Mirror {
    /// Writes all entries and attachments into a folder, for other programs.
    ///
    /// ```swift
    /// try await mirror.export(to: folder, as: .csv)   // entries.csv, attachments.csv, photos/
    /// ```
    /// All files are of one moment of the mirror, and each is whole once it has its name; earlier ones
    /// of the same names are replaced. They hold health values: what becomes of them is the person's
    /// decision. Files are readable by their owner alone.
    ///
    /// - Throws: ``MirrorError``.
    /// - Complexity: O(*n*), with flat memory.
    @discardableResult
    public func export(
        to folder: URL, as format: MirrorExport.Format
    ) async throws -> MirrorExport {
        let photos = photos
        return try await read { db in
            let entries = folder.appendingPathComponent("entries." + format.rawValue)
            let attachments = folder.appendingPathComponent("attachments." + format.rawValue)
            let entryCount = try Self.writeEntries(to: entries, as: format, db)
            let kept = try AttachmentRows(db).all("")
            let lines = try MirrorLines(attachments)
            let writing = MirrorLineWriting(format)
            if let names = writing.names(MirrorLineWriting.attachmentNames) {
                try lines.append(names)
            }
            for attachment in kept { try lines.append(try writing.line(attachment)) }
            try lines.finish()
            let copies = folder.appendingPathComponent("photos", isDirectory: true)
            let copied = try photos.copy(kept.photoDigests, to: copies)
            return MirrorExport(
                entries: entries, attachments: attachments, photos: copied > 0 ? copies : nil,
                entryCount: entryCount, attachmentCount: kept.count)
        }
    }

    static func writeEntries(
        to file: URL, as format: MirrorExport.Format, _ db: Database
    ) throws -> Int {
        let lines = try MirrorLines(file)
        let writing = MirrorLineWriting(format)
        if let names = writing.names(MirrorLineWriting.entryNames) { try lines.append(names) }
        var reading = EntryReading(db)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(EntryReading.columns) FROM entry ORDER BY type, start, uuid")
        var count = 0
        while let row = try rows.next() {
            try lines.append(try writing.line(try reading.entry(row)))
            count += 1
        }
        try lines.finish()
        return count
    }
}

extension [Attachment] {
    /// The digests of the photos among them.
    var photoDigests: Set<String> {
        reduce(into: []) { digests, attachment in
            if case .photo(let photo) = attachment.content { digests.insert(photo.digest) }
        }
    }
}

extension MirrorPhotos {
    /// Copies photos that aren't there yet into another folder, and says how many are there then.
    ///
    /// A photo whose file is missing is left out: ``Mirror/verify(_:over:against:)`` reports it.
    func copy(_ digests: Set<String>, to other: URL) throws -> Int {
        guard !digests.isEmpty else { return 0 }
        let target = MirrorPhotos(folder: other, lifetime: .file)
        var count = 0
        for digest in digests.sorted() where MirrorPhotos.isDigest(digest) {
            if FileManager.default.fileExists(atPath: target.url(digest).path) {
                count += 1
            } else if FileManager.default.fileExists(atPath: url(digest).path) {
                _ = try target.keep(at: url(digest))
                count += 1
            }
        }
        return count
    }
}

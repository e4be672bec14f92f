public import Foundation
import GRDB

/// The result of ``Mirror/export(to:as:)``: the files, and their numbers of records.
public struct MirrorExport: Hashable, Sendable {
    /// The file format of entries and attachments.
    public enum Format: String, Hashable, Sendable {
        /// JSON Lines: one JSON object per line.
        case jsonLines = "jsonl"
        /// CSV with a header line, quoted as in RFC 4180; lines end with LF.
        case csv
    }

    /// The file of the entries: `entries.jsonl` or `entries.csv`.
    public let entries: URL
    /// The file of the attachments: `attachments.jsonl` or `attachments.csv`.
    public let attachments: URL
    /// The folder of the attachments' photos, whose files are named by digest; nil if no attachment
    /// has a photo whose file exists.
    public let photos: URL?
    /// The number of entries in the file, without the header line.
    public let entryCount: Int
    /// The number of attachments in the file, without the header line.
    public let attachmentCount: Int
}

/// A buffered writer of lines. The file is readable only by its owner, and has a temporary name
/// until ``finish()``. Without that call, the file is removed on deallocation.
final class MirrorLineWriter {
    private let file: URL
    private let part: URL
    private let handle: FileHandle
    private var buffer = Data()
    private(set) var count = 0

    /// Opens a temporary file beside the given one, and creates the folder if needed.
    init(_ file: URL) throws {
        self.file = file
        part = file.appendingPathExtension(UUID().uuidString)
        let files = FileManager.default
        try Self.makeFolder(file.deletingLastPathComponent())
        do {
            try Data().write(to: part, options: .withoutOverwriting)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: part.path)
            handle = try FileHandle(forWritingTo: part)
        } catch {
            throw MirrorError.unavailable
        }
    }

    deinit {
        try? handle.close()
        try? FileManager.default.removeItem(at: part)
    }

    static func makeFolder(_ folder: URL) throws {
        guard !FileManager.default.fileExists(atPath: folder.path) else { return }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw MirrorError.unavailable
        }
    }

    func append(_ line: Data) throws {
        count += 1
        buffer.append(line)
        buffer.append(0x0A)
        if buffer.count > 1 << 16 { try flush() }
    }

    /// Completes the file and moves it to its final name, where it replaces an existing file.
    func finish() throws {
        try flush()
        do {
            try handle.synchronize()
        } catch {
            throw MirrorError.unavailable
        }
        try MirrorPhotos.replace(file, with: part)
    }

    private func flush() throws {
        do {
            try handle.write(contentsOf: buffer)
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw MirrorError.diskFull
        } catch {
            throw MirrorError.unavailable
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// An encoder of entries and attachments as lines of an export.
struct MirrorLineEncoder {
    private let format: MirrorExport.Format
    private let encoder = MirrorJSON.lineEncoder()

    init(_ format: MirrorExport.Format) { self.format = format }

    static let entryNames = [
        "id", "type", "start", "end", "value", "unit", "category", "workout", "source", "bundle",
        "device", "sync_identifier", "sync_version", "state", "metadata",
    ]
    static let attachmentNames = [
        "id", "entry", "attached", "kind", "name", "text", "number", "unit", "photo", "created",
        "modified", "type", "start", "sync_identifier", "bundle",
    ]

    func names(_ names: [String]) -> Data? { format == .csv ? Self.line(names) : nil }

    func line(_ entry: MirrorEntry) throws -> Data {
        if format == .jsonLines { return try encoder.encode(entry) }
        var (value, unit, category, workout) = ("", "", "", "")
        switch entry.content {
        case .quantity(let number, let text): (value, unit) = ("\(number)", text)
        case .category(let number): category = "\(number)"
        case .workout(let activity): workout = "\(activity)"
        case .none: break
        }
        let metadata =
            entry.metadata.isEmpty
            ? "" : String(decoding: try encoder.encode(entry.metadata), as: UTF8.self)
        return Self.line([
            entry.id.uuidString, entry.type, MirrorJSON.text(entry.start),
            MirrorJSON.text(entry.end), value, unit, category, workout, entry.sourceName,
            entry.bundleIdentifier, entry.device ?? "", entry.syncIdentifier ?? "",
            entry.syncVersion.map { "\($0)" } ?? "", entry.state.rawValue, metadata,
        ])
    }

    func line(_ attachment: Attachment) throws -> Data {
        if format == .jsonLines { return try encoder.encode(attachment) }
        var fields = ["", "", "", "", "", ""]
        switch attachment.content {
        case .note(let text): fields = ["note", "", text, "", "", ""]
        case .tag(let name): fields = ["tag", name, "", "", "", ""]
        case .photo(let photo): fields = ["photo", photo.name, "", "", "", photo.digest]
        case .number(let name, let number, let unit):
            fields = ["number", name, "", "\(number)", unit, ""]
        }
        let target = attachment.target
        return Self.line(
            [attachment.id.uuidString, target.entry.uuidString, "\(attachment.isAttached)"] + fields
                + [
                    MirrorJSON.text(attachment.created), MirrorJSON.text(attachment.modified),
                    target.type ?? "", target.start.map(MirrorJSON.text) ?? "",
                    target.syncIdentifier ?? "", target.bundleIdentifier ?? "",
                ])
    }

    private static func line(_ fields: [String]) -> Data {
        Data(
            fields.map { field in
                // Compares bytes, because CR and LF together are one Character.
                field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
                    ? "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : field
            }.joined(separator: ",").utf8)
    }
}

extension Mirror {
    /// Writes all entries in any state, and all attachments, attached or not, to a folder for other
    /// programs.
    ///
    /// ```swift
    /// try await mirror.export(to: folder, as: .csv)   // entries.csv, attachments.csv, photos/
    /// ```
    /// Entries and attachments are from one snapshot of the mirror. Each file gets its name when it
    /// is complete, and replaces an earlier file of that name; an existing photo is not copied
    /// again. A photo whose file is missing is left out. Only the owner can read new files. They
    /// contain health values, so export only at a person's request.
    ///
    /// - Parameters:
    ///   - folder: The folder; it is created if needed.
    ///   - format: The file format of entries and attachments.
    /// - Returns: The files and their numbers of records.
    /// - Throws: ``MirrorError``.
    /// - Complexity: O(*n*) for *n* records; memory for all attachments, but not for all entries.
    @discardableResult
    public func export(
        to folder: URL, as format: MirrorExport.Format
    ) async throws -> MirrorExport {
        let photos = photos
        return try await read { db in
            let entries = folder.appendingPathComponent("entries." + format.rawValue)
            let attachments = folder.appendingPathComponent("attachments." + format.rawValue)
            let entryCount = try Self.writeEntries(to: entries, as: format, db)
            let stored = try AttachmentRows(db).all("")
            let lines = try MirrorLineWriter(attachments)
            let writing = MirrorLineEncoder(format)
            if let names = writing.names(MirrorLineEncoder.attachmentNames) {
                try lines.append(names)
            }
            for attachment in stored { try lines.append(try writing.line(attachment)) }
            try lines.finish()
            let copies = folder.appendingPathComponent("photos", isDirectory: true)
            let copied = try photos.copy(stored.photoDigests, to: copies)
            return MirrorExport(
                entries: entries, attachments: attachments, photos: copied > 0 ? copies : nil,
                entryCount: entryCount, attachmentCount: stored.count)
        }
    }

    static func writeEntries(
        to file: URL, as format: MirrorExport.Format, _ db: Database
    ) throws -> Int {
        let lines = try MirrorLineWriter(file)
        let writing = MirrorLineEncoder(format)
        if let names = writing.names(MirrorLineEncoder.entryNames) { try lines.append(names) }
        var reading = EntryReader(db)
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(EntryReader.Column.columns) FROM entry ORDER BY type, start, uuid")
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
    /// The digests of the photos among the attachments.
    var photoDigests: Set<String> {
        reduce(into: []) { digests, attachment in
            if case .photo(let photo) = attachment.content { digests.insert(photo.digest) }
        }
    }
}

extension MirrorPhotos {
    /// Copies photos to another folder unless they exist there. Returns how many of the given
    /// photos exist there afterwards.
    ///
    /// Photos without a file in this folder are skipped; ``Mirror/verify(_:over:against:)`` reports
    /// them.
    func copy(_ digests: Set<String>, to other: URL) throws -> Int {
        guard !digests.isEmpty else { return 0 }
        let target = MirrorPhotos(folder: other, lifetime: .file)
        var count = 0
        for digest in digests.sorted() where MirrorPhotos.isDigest(digest) {
            if FileManager.default.fileExists(atPath: target.url(digest).path) {
                count += 1
            } else if FileManager.default.fileExists(atPath: url(digest).path) {
                _ = try target.store(at: url(digest))
                count += 1
            }
        }
        return count
    }
}

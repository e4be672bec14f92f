public import Foundation

/// The files that an export of the mirror makes.
public struct MirrorExport: Hashable, Sendable {
    /// How entries and attachments are written.
    public enum Format: String, Hashable, Sendable {
        /// One JSON object a line.
        case jsonLines = "jsonl"
        /// A line of names, then a line each (RFC 4180).
        case csv
    }

    /// `entries.jsonl` or `entries.csv`.
    public let entries: URL
    /// `attachments.jsonl` or `attachments.csv`.
    public let attachments: URL
    /// Where the photos lie under their digests; nil if there are none.
    public let photos: URL?
    public let entryCount: Int
    public let attachmentCount: Int
}

/// Lines on their way into a file that only its owner can read, and that has its name once it is
/// whole.
final class MirrorLines {
    private let file: URL
    private let part: URL
    private let handle: FileHandle
    private var buffer = Data()
    private(set) var count = 0

    /// Makes the folder too, if there is none.
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

    /// Gives the file its name.
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

/// Values to the lines of an export.
struct MirrorLineWriting {
    private let format: MirrorExport.Format
    private let encoder = MirrorLineWriting.encoder

    init(_ format: MirrorExport.Format) { self.format = format }

    /// Dates as `2026-03-01T07:00:00.000Z`, to the millisecond.
    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(date))
        }
        return encoder
    }

    private static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    static let entryNames = [
        "id", "type", "start", "end", "value", "unit", "category", "workout", "source", "bundle",
        "device", "sync_identifier", "sync_version", "state", "metadata",
    ]
    static let attachmentNames = [
        "id", "entry", "attached", "kind", "name", "text", "number", "unit", "photo", "created",
        "modified", "type", "start", "sync_identifier", "bundle",
    ]

    func names(_ names: [String]) -> Data? { format == .csv ? Self.line(names) : nil }

    func line(_ entry: Entry) throws -> Data {
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
            entry.id.uuidString, entry.type, Self.text(entry.start), Self.text(entry.end), value,
            unit, category, workout, entry.sourceName, entry.bundleIdentifier, entry.device ?? "",
            entry.syncIdentifier ?? "", entry.syncVersion.map { "\($0)" } ?? "",
            entry.state.rawValue, metadata,
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
        let place = attachment.place
        return Self.line(
            [attachment.id.uuidString, place.entry.uuidString, "\(attachment.isAttached)"] + fields
                + [
                    Self.text(attachment.created), Self.text(attachment.modified),
                    place.type ?? "", place.start.map(Self.text) ?? "",
                    place.syncIdentifier ?? "", place.bundleIdentifier ?? "",
                ])
    }

    private static func line(_ fields: [String]) -> Data {
        Data(
            fields.map { field in
                // By bytes: a line break after a carriage return is one character with it.
                field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
                    ? "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : field
            }.joined(separator: ",").utf8)
    }
}

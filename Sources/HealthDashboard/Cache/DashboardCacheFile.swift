import Foundation
import HealthEngine

/// The file format of the cache. A file has a line with the format's name, a line of JSON with the
/// index of pages, and the pages as JSON.
///
/// Only a requested page is decoded. Every page has a checksum, since a flipped bit in a digit
/// would still be valid JSON.
enum DashboardCacheFile {
    /// A page in the file.
    struct Entry: Sendable, Equatable {
        var key: String
        var revisions: [String: String]
        var body: Data
    }

    private struct Line: Codable {
        var key: String
        var revisions: [String: String]
        var length: Int
        var checksum: String
    }

    /// The format's name and version. The version changes with the content of a page's JSON.
    static let header = Data("openhealth pages 3\n".utf8)
    static let maximumEntries = 32
    static let maximumBytes = 4 << 20

    /// Returns the newest entries within the limits of number and total size. The given entries are
    /// the newest first.
    static func bounded(_ entries: [Entry]) -> [Entry] {
        var remaining = maximumBytes
        return entries.prefix(maximumEntries).filter { entry in
            remaining -= entry.body.count
            return remaining >= 0
        }
    }

    /// Reads a file; nil if it is no regular file, cannot be read, or is larger than twice
    /// ``maximumBytes``.
    static func read(_ file: URL) -> Data? {
        let attributes = try? file.resolvingSymlinksInPath()
            .resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        guard let attributes, attributes.isRegularFile == true, let size = attributes.fileSize,
            size <= 2 * maximumBytes
        else { return nil }
        return try? Data(contentsOf: file)
    }

    /// Decodes entries; nil if the data is incomplete or damaged, or has another format.
    static func entries(of data: Data) -> [Entry]? {
        guard data.starts(with: header), let end = data[header.count...].firstIndex(of: 10),
            let lines = try? JSONDecoder().decode([Line].self, from: data[header.count..<end])
        else { return nil }
        var entries: [Entry] = []
        var start = end + 1
        for line in lines {
            guard line.length >= 0, line.length <= data.count - start else { return nil }
            let body = data[start..<start + line.length]
            guard checksum(line.key, line.revisions, body) == line.checksum else { return nil }
            entries.append(Entry(key: line.key, revisions: line.revisions, body: body))
            start += line.length
        }
        return start == data.count ? entries : nil
    }

    static func data(of entries: [Entry]) -> Data? {
        let lines = entries.map { entry in
            Line(
                key: entry.key, revisions: entry.revisions, length: entry.body.count,
                checksum: checksum(entry.key, entry.revisions, entry.body))
        }
        guard let index = try? JSONEncoder().encode(lines) else { return nil }
        return entries.reduce(into: header + index + Data([10])) { $0 += $1.body }
    }

    /// Returns the FNV-1a hash of all fields of an entry.
    private static func checksum(
        _ key: String, _ revisions: [String: String], _ body: Data
    ) -> String {
        var hash = FNV1a()
        hash.add(key)
        for (name, text) in revisions.sorted(by: { $0.key < $1.key }) {
            hash.add(name)
            hash.add(text)
        }
        body.withUnsafeBytes { hash.add($0) }
        return String(hash.value, radix: 16)
    }

    /// Writes the file atomically, readable only by its owner. Errors are ignored.
    static func write(_ data: Data, to file: URL) {
        let files = FileManager.default
        let folder = file.deletingLastPathComponent()
        if !files.fileExists(atPath: folder.path) {
            try? files.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let temporaryFile = folder.appendingPathComponent(
            ".\(file.lastPathComponent).\(UUID().uuidString)")
        guard
            files.createFile(
                atPath: temporaryFile.path, contents: data, attributes: [.posixPermissions: 0o600])
        else { return }
        if rename(temporaryFile.path, file.path) != 0 { try? files.removeItem(at: temporaryFile) }
    }
}

import Foundation

/// The bytes of a cache: a line that says what they are, a line of JSON that says which pages
/// follow, and the pages, each as JSON.
///
/// Only the page asked for is ever decoded. Every page has a checksum, since a digit that was
/// flipped on the disk would still be a number.
enum DashboardCacheFile {
    /// A page as it lies in the file.
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

    /// Changes with each change of what a page's JSON holds.
    static let mark = Data("openhealth pages 2\n".utf8)
    static let mostEntries = 32
    static let mostBytes = 4 << 20

    /// The newest entries that fit.
    static func bounded(_ entries: [Entry]) -> [Entry] {
        var rest = mostBytes
        return entries.prefix(mostEntries).filter { entry in
            rest -= entry.body.count
            return rest >= 0
        }
    }

    /// A file's bytes; nil if there is none, or one larger than any of ours.
    static func read(_ file: URL) -> Data? {
        let facts = try? file.resolvingSymlinksInPath()
            .resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        guard let facts, facts.isRegularFile == true, let size = facts.fileSize,
            size <= 2 * mostBytes
        else { return nil }
        return try? Data(contentsOf: file)
    }

    /// The entries of bytes that are wholly as they were written; nil for any others.
    static func entries(of data: Data) -> [Entry]? {
        guard data.starts(with: mark), let end = data[mark.count...].firstIndex(of: 10),
            let lines = try? JSONDecoder().decode([Line].self, from: data[mark.count..<end])
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
        guard let head = try? JSONEncoder().encode(lines) else { return nil }
        return entries.reduce(into: mark + head + Data([10])) { $0 += $1.body }
    }

    /// FNV-1a over all that an entry says.
    private static func checksum(
        _ key: String, _ revisions: [String: String], _ body: Data
    ) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        add(key.utf8)
        for (name, text) in revisions.sorted(by: { $0.key < $1.key }) {
            add(name.utf8)
            add(text.utf8)
        }
        body.withUnsafeBytes { add($0) }
        return String(hash, radix: 16)
    }

    /// Puts the file in place in one step, readable by its owner alone.
    static func write(_ data: Data, to file: URL) {
        let files = FileManager.default
        let folder = file.deletingLastPathComponent()
        if !files.fileExists(atPath: folder.path) {
            try? files.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let beside = folder.appendingPathComponent(
            ".\(file.lastPathComponent).\(UUID().uuidString)")
        guard
            files.createFile(
                atPath: beside.path, contents: data, attributes: [.posixPermissions: 0o600])
        else { return }
        if rename(beside.path, file.path) != 0 { try? files.removeItem(at: beside) }
    }
}

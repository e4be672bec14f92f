import Foundation
import HealthCalendar
import HealthEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A backup as a zip archive: a manifest with checksums, and the files.
package enum BackupArchive {
    private static let manifestName = "manifest.json"
    /// The largest manifest that is read, in bytes.
    private static let maximumManifest = 64 << 20

    /// Returns whether a file is a backup of any version.
    package static func isBackup(_ path: String) -> Bool {
        guard let archive = try? ZipArchive(path: path) else { return false }
        do {
            _ = try manifest(of: archive, named: path)
            return true
        } catch {
            if case .newer? = error as? BackupError { return true }
            return false
        }
    }

    /// Writes a backup.
    ///
    /// - Parameters:
    ///   - files: The names in the archive, and the paths of the files. Nobody may change them
    ///     during the call.
    ///   - path: The path of the archive, which is overwritten.
    ///   - program: The program and its version.
    ///   - now: The time of the backup in reference seconds.
    /// - Returns: The manifest.
    /// - Throws: ``BackupError`` or ``ArchiveError``.
    /// - Complexity: O(bytes), with constant memory.
    package static func write(
        _ files: [(name: String, path: String)], to path: String, program: String, now: Double
    ) throws -> BackupManifest {
        let time = CivilTime(reference: Int64(clamping: Int(clamping: now.rounded(.down))))
        var manifest = BackupManifest(
            program: program, created: time.text(separator: "T") + "Z", files: [])
        for file in files {
            var digest = SHA256()
            var count: Int64 = 0
            try forEachChunk(of: file.path) { chunk in
                digest.update(chunk)
                count += Int64(chunk.count)
            }
            manifest.files.append(
                .init(name: file.name, byteCount: count, sha256: digest.finish()))
        }
        let writer = try ZipWriter(
            path: path,
            modified: ZipTimestamp(
                year: time.date.year, month: time.date.month, day: time.date.day,
                hour: time.hour, minute: time.minute, second: time.second))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try writer.begin(manifestName)
        try writer.write(String(decoding: try encoder.encode(manifest), as: UTF8.self) + "\n")
        for file in files {
            try writer.begin(file.name)
            try forEachChunk(of: file.path) { chunk in
                try chunk.withUnsafeBytes { try writer.write($0) }
            }
        }
        try writer.finish()
        return manifest
    }

    /// Extracts a backup into an empty folder and compares each file with its checksum.
    ///
    /// - Parameters:
    ///   - path: The path of the archive.
    ///   - folder: An existing folder. Files in it may be left when an error is thrown.
    ///   - name: The name of the backup in errors.
    /// - Returns: The manifest, whose files are all in the folder.
    /// - Throws: ``BackupError`` if the file is no backup, or is damaged or incomplete;
    ///   ``ArchiveError`` if it can't be read.
    package static func extract(
        _ path: String, to folder: String, named name: String
    ) throws -> BackupManifest {
        let archive = try translating(to: .notABackup(name)) { try ZipArchive(path: path) }
        let manifest = try manifest(of: archive, named: name)
        let entries = Dictionary(
            archive.entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let listed = Set(manifest.files.map(\.name))
        guard listed.count == manifest.files.count else {
            throw BackupError.incomplete(name, name: manifestName)
        }
        if let other = entries.keys.first(where: { $0 != manifestName && !listed.contains($0) }) {
            throw BackupError.incomplete(name, name: other)
        }
        for file in manifest.files {
            guard let entry = entries[file.name], entry.byteCount == file.byteCount else {
                throw BackupError.incomplete(name, name: file.name)
            }
            let digest = try translating(to: .damaged(name, name: file.name)) {
                try extract(entry, of: archive, to: folder + "/" + file.name)
            }
            guard digest == file.sha256 else { throw BackupError.damaged(name, name: file.name) }
        }
        return manifest
    }

    /// Runs a closure and throws an error in place of those that a damaged archive causes.
    private static func translating<Value>(
        to damage: BackupError, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as ArchiveError {
            if error.isUnreadable { throw error }
            throw damage
        }
    }

    private static func manifest(
        of archive: ZipArchive, named name: String
    ) throws -> BackupManifest {
        guard let entry = archive.entries.first(where: { $0.path == manifestName }),
            entry.byteCount <= maximumManifest
        else { throw BackupError.notABackup(name) }
        var bytes: [UInt8] = []
        try translating(to: .damaged(name, name: manifestName)) {
            try forEachChunk(of: try archive.open(entry)) { bytes += $0 }
        }
        struct Heading: Decodable {
            let format: String
            let version: Int
        }
        let decoder = JSONDecoder()
        guard let heading = try? decoder.decode(Heading.self, from: Data(bytes)),
            heading.format == BackupManifest.format
        else { throw BackupError.notABackup(name) }
        guard (1...BackupManifest.latestVersion).contains(heading.version) else {
            throw BackupError.newer(name, version: heading.version)
        }
        guard let manifest = try? decoder.decode(BackupManifest.self, from: Data(bytes)) else {
            throw BackupError.damaged(name, name: manifestName)
        }
        return manifest
    }

    /// Writes an entry to a new file that only its owner can read, and returns its digest.
    private static func extract(
        _ entry: ZipEntry, of archive: ZipArchive, to path: String
    ) throws -> String {
        let parent = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let output = try PrivateFile(path)
        var digest = SHA256()
        try forEachChunk(of: try archive.open(entry)) { chunk in
            digest.update(chunk)
            try output.write(chunk)
        }
        try output.close()
        return digest.finish()
    }

    private static let chunk = 256 << 10

    private static func forEachChunk(
        of stream: any ByteStream, _ body: ([UInt8]) throws -> Void
    ) throws {
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = try buffer.withUnsafeMutableBytes { bytes throws(ArchiveError) in
                try stream.read(into: bytes)
            }
            if count == 0 { return }
            try body(count == buffer.count ? buffer : Array(buffer[..<count]))
        }
    }

    private static func forEachChunk(
        of path: String, _ body: ([UInt8]) throws -> Void
    ) throws {
        try forEachChunk(of: StoredStream(file: RandomAccessFile(path: path)), body)
    }
}

/// A new file that only its owner can read and write.
package final class PrivateFile {
    private let path: String
    private let descriptor: Int32
    private var isOpen = true

    /// - Throws: ``BackupError`` if a file exists at the path or it can't be created.
    package init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    deinit { if isOpen { _ = Self.close(descriptor) } }

    /// - Throws: ``BackupError`` if not all bytes can be written.
    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer
            while let start = rest.baseAddress, !rest.isEmpty {
                let count = Self.write(descriptor, start, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure(path) }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    /// Synchronizes the file to disk and closes it.
    ///
    /// - Throws: ``BackupError`` if that fails.
    package func close() throws {
        isOpen = false
        let isWritten = fsync(descriptor) == 0
        let failure = Self.failure(path)
        guard Self.close(descriptor) == 0, isWritten else { throw failure }
    }

    private static func failure(_ path: String) -> BackupError {
        .unusableFile(path, reason: String(cString: strerror(errno)))
    }

    private static func close(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #elseif canImport(Musl)
            Musl.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    private static func write(
        _ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int
    ) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, start, count)
        #elseif canImport(Musl)
            Musl.write(descriptor, start, count)
        #else
            Darwin.write(descriptor, start, count)
        #endif
    }
}

extension ArchiveError {
    /// Whether the file can't be read at all, as opposed to being damaged.
    fileprivate var isUnreadable: Bool {
        if case .unreadable = code { return true }
        return false
    }
}

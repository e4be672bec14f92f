import Foundation

/// The folder where photos lie under their digests.
///
/// A photo is written beside its final name and then renamed, so that a file under a digest is whole.
final class MirrorPhotos: Sendable {
    /// How long the folder lasts.
    enum Lifetime {
        /// As long as the file beside it.
        case file
        /// As long as this object.
        case object
    }

    let folder: URL
    private let lifetime: Lifetime
    private static let chunk = 1 << 16
    private static let unfinished = ".part"

    init(folder: URL, lifetime: Lifetime) {
        self.folder = folder
        self.lifetime = lifetime
    }

    deinit {
        if lifetime == .object { try? FileManager.default.removeItem(at: folder) }
    }

    func url(_ digest: String) -> URL { folder.appendingPathComponent(digest) }

    func requirePhoto(_ digest: String) throws {
        guard Self.isDigest(digest), FileManager.default.fileExists(atPath: url(digest).path) else {
            throw MirrorError.unknownPhoto(digest: digest)
        }
    }

    /// 64 hexadecimal digits: never a path to another place.
    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Copies a photo in, piece by piece.
    ///
    /// - Parameter next: Gives the next bytes; empty or nil at the end.
    func keep(named name: String, _ next: () throws -> Data?) throws -> Attachment.Photo {
        let files = FileManager.default
        do {
            if !files.fileExists(atPath: folder.path) {
                try files.createDirectory(
                    at: folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            let part = folder.appendingPathComponent(UUID().uuidString + Self.unfinished)
            try Data().write(to: part, options: .withoutOverwriting)
            defer { try? files.removeItem(at: part) }
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: part.path)
            let handle = try FileHandle(forWritingTo: part)
            defer { try? handle.close() }
            var digest = MirrorDigest()
            var count = 0
            while let bytes = try next(), !bytes.isEmpty {
                digest.update(Array(bytes))
                count += bytes.count
                try handle.write(contentsOf: bytes)
            }
            try handle.synchronize()
            let photo = Attachment.Photo(digest: digest.finish(), byteCount: count, name: name)
            // Over whatever lies there: a file of the same digest is the same, or damaged.
            try Self.replace(url(photo.digest), with: part)
            return photo
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw MirrorError.diskFull
        } catch let error as MirrorError {
            throw error
        } catch {
            throw MirrorError.unavailable
        }
    }

    func keep(_ data: Data, named name: String) throws -> Attachment.Photo {
        var rest: Data? = data
        return try keep(named: name) {
            defer { rest = nil }
            return rest
        }
    }

    func keep(at file: URL) throws -> Attachment.Photo {
        // Not blocking: a pipe would wait for its other end, and a device may never end.
        let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw MirrorError.unavailable }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        defer { try? handle.close() }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw MirrorError.unavailable
        }
        // No further than it reached when it was opened, should somebody go on writing it.
        var rest = Int(status.st_size)
        return try keep(named: file.lastPathComponent) {
            guard rest > 0 else { return nil }
            let bytes = try handle.read(upToCount: min(rest, Self.chunk))
            rest -= bytes?.count ?? 0
            return bytes
        }
    }

    /// Replaces what lies at the new name in one step.
    static func replace(_ new: URL, with old: URL) throws {
        guard rename(old.path, new.path) == 0 else {
            throw errno == ENOSPC ? MirrorError.diskFull : MirrorError.unavailable
        }
    }

    /// The SHA-256 of the file under a name; nil if there is none that can be read.
    func digest(of name: String) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: url(name)) else { return nil }
        defer { try? handle.close() }
        var digest = MirrorDigest()
        while let bytes = try? handle.read(upToCount: Self.chunk), !bytes.isEmpty {
            digest.update(Array(bytes))
        }
        return digest.finish()
    }

    /// The names of all files in the folder.
    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// Removes a photo's file, if there is one.
    func remove(_ digest: String) {
        guard Self.isDigest(digest) else { return }
        try? FileManager.default.removeItem(at: url(digest))
    }

    /// Removes files that nothing needs and that weren't touched since a moment.
    func tidy(keeping digests: Set<String>, before moment: Date) -> Int {
        var removed = 0
        for name in names where !digests.contains(name) {
            guard Self.isDigest(name) || name.hasSuffix(Self.unfinished) else { continue }
            let file = url(name)
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            guard let touched = attributes?[.modificationDate] as? Date, touched < moment else {
                continue
            }
            if (try? FileManager.default.removeItem(at: file)) != nil { removed += 1 }
        }
        return removed
    }
}

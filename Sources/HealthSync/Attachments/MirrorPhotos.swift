public import Foundation
import GRDB
import HealthEngine

/// A folder of photos whose file names are the digests of their content.
///
/// A photo is written to a temporary file and renamed, so that this class leaves no incomplete file
/// under a digest. A synchronization service may do so in a folder that devices share.
final class MirrorPhotos: Sendable {
    /// Whether the folder outlives this object.
    enum Lifetime {
        /// The folder is permanent; this object does not remove it.
        case file
        /// The folder is temporary; this object removes it on deallocation.
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

    /// Whether the text consists of 64 lowercase hexadecimal digits, and therefore is no path to
    /// another folder.
    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Copies a photo to the folder, piece by piece, and replaces an existing file with its digest.
    ///
    /// - Parameters:
    ///   - name: The file name to show.
    ///   - next: Returns the next bytes; empty or nil at the end.
    /// - Throws: ``MirrorError/diskFull``, ``MirrorError/unavailable``.
    func store(named name: String, _ next: () throws -> Data?) throws -> Attachment.Photo {
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
            var digest = SHA256()
            var count = 0
            while let bytes = try next(), !bytes.isEmpty {
                digest.update(Array(bytes))
                count += bytes.count
                try handle.write(contentsOf: bytes)
            }
            try handle.synchronize()
            let photo = Attachment.Photo(digest: digest.finish(), byteCount: count, name: name)
            // An existing file with the same digest is equal or damaged, so replacing it loses
            // nothing.
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

    func store(_ data: Data, named name: String) throws -> Attachment.Photo {
        var remaining: Data? = data
        return try store(named: name) {
            defer { remaining = nil }
            return remaining
        }
    }

    func store(at file: URL) throws -> Attachment.Photo {
        // Non-blocking: opening a pipe would wait for its other end.
        let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw MirrorError.unavailable }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        defer { try? handle.close() }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw MirrorError.unavailable
        }
        // Reads up to the size at opening, in case another process appends to the file.
        var remaining = Int(status.st_size)
        return try store(named: file.lastPathComponent) {
            guard remaining > 0 else { return nil }
            let bytes = try handle.read(upToCount: min(remaining, Self.chunk))
            remaining -= bytes?.count ?? 0
            return bytes
        }
    }

    /// Renames `old` to `new`, and replaces an existing file there atomically.
    static func replace(_ new: URL, with old: URL) throws {
        guard rename(old.path, new.path) == 0 else {
            throw errno == ENOSPC ? MirrorError.diskFull : MirrorError.unavailable
        }
    }

    /// Returns the SHA-256 digest of the content of a file in the folder; nil if the file cannot be
    /// opened. If reading fails before the end, the digest covers only the part that was read, and
    /// therefore differs from a photo's name.
    func digest(of name: String) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: url(name)) else { return nil }
        defer { try? handle.close() }
        var digest = SHA256()
        while let bytes = try? handle.read(upToCount: Self.chunk), !bytes.isEmpty {
            digest.update(Array(bytes))
        }
        return digest.finish()
    }

    /// The names of all files in the folder, including unfinished copies; empty if the folder
    /// cannot be read.
    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    /// Removes the file of a photo from the folder, if there is one. Errors are ignored.
    func remove(_ digest: String) {
        guard Self.isDigest(digest) else { return }
        try? FileManager.default.removeItem(at: url(digest))
    }

    /// Removes photos whose digests are not in `digests`, and unfinished copies, if their files
    /// were last modified before a date. Returns the number of removed files. Other files are kept.
    func removeUnused(keeping digests: Set<String>, before moment: Date) -> Int {
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

extension Mirror {
    /// Copies a photo to the mirror's folder, so that it can be attached.
    ///
    /// ```swift
    /// let photo = try await mirror.storePhoto(at: url)
    /// try await mirror.attach(.photo(photo), to: meal.id)
    /// ```
    /// Photos with equal bytes are stored once.
    ///
    /// - Parameter file: The photo; it must be a regular file.
    /// - Returns: The photo for ``Attachment/Content/photo(_:)``.
    /// - Throws: ``MirrorError/diskFull``; ``MirrorError/unavailable`` if the file cannot be read
    ///   or is no regular file, or the copy cannot be written.
    /// - Complexity: O(*n*) for *n* bytes, with constant memory.
    public func storePhoto(at file: URL) async throws -> Attachment.Photo {
        try photos.store(at: file)
    }

    /// Copies a photo from memory, as ``storePhoto(at:)`` does.
    ///
    /// - Parameters:
    ///   - bytes: The photo.
    ///   - name: The file name to show.
    /// - Returns: The photo for ``Attachment/Content/photo(_:)``.
    /// - Throws: ``MirrorError/diskFull``, ``MirrorError/unavailable``.
    public func storePhoto(_ bytes: Data, named name: String) async throws -> Attachment.Photo {
        try photos.store(bytes, named: name)
    }

    /// Returns the file of a photo.
    ///
    /// - Parameter photo: The photo.
    /// - Returns: The file's URL, without a check whether the file exists.
    public func file(of photo: Attachment.Photo) -> URL { photos.url(photo.digest) }

    /// Removes the files of photos that no attachment, attached or not, and no pending write needs.
    /// Also removes unfinished copies.
    ///
    /// - Parameter age: The minimum age of a removed file, in seconds since it was last modified;
    ///   one hour by default. Younger files are kept, because the app may be about to attach them.
    /// - Returns: The number of removed files.
    /// - Throws: ``MirrorError``.
    @discardableResult
    public func removeUnusedPhotos(olderThan age: TimeInterval = 3_600) async throws -> Int {
        let moment = configuration.now().addingTimeInterval(-age)
        let photos = photos
        // In a write transaction, so that no photo is attached between the check and the removal.
        return try await transaction(.normal) { db in
            photos.removeUnused(keeping: try Self.neededPhotos(among: photos, db), before: moment)
        }
    }

    /// Removes the files of the photos with the given digests, of any age. Keeps those that an
    /// attachment, attached or not, or a pending write needs.
    package func removePhotos(_ digests: Set<String>) async throws {
        if digests.isEmpty { return }
        let photos = photos
        try await transaction(.normal) { db in
            let needed = try Self.neededPhotos(among: photos, db)
            for digest in digests.subtracting(needed) { photos.remove(digest) }
        }
    }

    /// Checkpoints the WAL and truncates it, so that no removed data stays in it. Errors of the
    /// checkpoint are ignored. While another connection reads, the WAL is not truncated; the last
    /// connection to close the database removes the WAL then.
    package func truncateWAL() async throws {
        try await translatingErrors {
            try await database.writeWithoutTransaction { db in
                _ = try? Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
    }

    private static func neededPhotos(
        among photos: MirrorPhotos, _ db: Database
    ) throws -> Set<String> {
        var needed = try Set(
            String.fetchAll(db, sql: "SELECT digest FROM attachment WHERE digest IS NOT NULL"))
        // Pending writes may have photos too. Their JSON contains the digests.
        let drafts = try String.fetchAll(db, sql: "SELECT draft FROM intent")
        if !drafts.isEmpty {
            needed.formUnion(photos.names.filter { name in drafts.contains { $0.contains(name) } })
        }
        return needed
    }
}

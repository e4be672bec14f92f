import Foundation
import HealthStorage

/// An export that a browser uploads, in a temporary file beside the store. Only its owner can read
/// it. It is removed when this object is released, or after a crash by the next process that uses a
/// temporary file in the folder.
///
/// Unchecked, because its state changes without a lock: a request's task awaits each call before it
/// makes the next, and the import, which begins after ``finish()``, reads only the path.
final class UploadedExport: @unchecked Sendable {
    /// The bytes after which the free space is checked again.
    private static let checkedBytes = 64 << 20

    /// The path of the temporary file. No part of it comes from the browser.
    let path: String
    private let file: StagedFile
    private let folder: String
    private let limits: UploadLimits
    private var descriptor: Int32
    /// The number of bytes that were written.
    private(set) var byteCount = 0
    private var nextCheck = 0

    /// Creates an empty file, and the store's folder if it is missing.
    ///
    /// - Parameters:
    ///   - store: The path of the store.
    ///   - size: The number of bytes that will be written, or a little more.
    ///   - limits: The limits on them.
    /// - Throws: ``UploadRefusal`` if the disk hasn't enough space, `StoreError` if the file can't
    ///   be created.
    init(beside store: String, size: Int, _ limits: UploadLimits) throws {
        let store = URL(fileURLWithPath: store).standardizedFileURL.path
        let slash = store.lastIndex(of: "/") ?? store.startIndex
        let folder = slash == store.startIndex ? "/" : String(store[..<slash])
        try Self.create(folder)
        try Self.requireSpace(for: size, in: folder, limits)
        let file = try StagedFile(at: store + ".upload", over: .file)
        let path = file.temporaryPath
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw Self.failure(.create, path) }
        (self.file, self.path, self.folder) = (file, path, folder)
        (self.limits, self.descriptor) = (limits, descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Removes the files that crashed processes left in the folder of a store.
    static func removeLeftovers(beside store: String) {
        let store = URL(fileURLWithPath: store).standardizedFileURL.path
        guard let slash = store.lastIndex(of: "/") else { return }
        // A file that can't be removed does no harm.
        StagedFile.forEachOrphan(in: slash == store.startIndex ? "/" : String(store[..<slash])) {
            unlink($0)
        }
    }

    /// Adds bytes. It blocks.
    ///
    /// - Throws: ``UploadRefusal`` if the file exceeds a limit or the disk is full, `StoreError` if
    ///   it can't be written.
    func append(_ bytes: [UInt8]) throws {
        byteCount += bytes.count
        guard byteCount <= limits.bytes else { throw UploadRefusal.tooLarge(limit: limits.bytes) }
        if byteCount >= nextCheck {
            try Self.requireSpace(for: bytes.count, in: folder, limits)
            nextCheck = byteCount + Self.checkedBytes
        }
        try bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = write(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw Self.failure(.write, path)
                }
                done += count
            }
        }
    }

    /// Ends the file.
    ///
    /// - Throws: ``UploadRefusal`` without any bytes, `StoreError` if the last ones can't be
    ///   written.
    func finish() throws {
        guard byteCount > 0 else { throw UploadRefusal.noFile }
        let closing = descriptor
        descriptor = -1
        guard close(closing) == 0 else { throw Self.failure(.write, path) }
    }

    private static func create(_ folder: String) throws {
        guard case .nothing = FileKind(folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch { throw StoreError(.folderNotCreated(folder)) }
    }

    private static func requireSpace(
        for bytes: Int, in folder: String, _ limits: UploadLimits
    ) throws {
        guard let free = limits.freeBytes(folder) else { return }
        guard bytes <= free - min(free, limits.reservedBytes) else { throw UploadRefusal.diskFull }
    }

    private static func failure(_ operation: StoreError.FileOperation, _ path: String) -> any Error
    {
        let fault = FileFault(errorNumber: errno)
        if fault == .diskFull { return UploadRefusal.diskFull }
        return StoreError(.fileFailed(operation, at: path, fault))
    }
}

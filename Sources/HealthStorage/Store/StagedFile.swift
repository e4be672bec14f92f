import Foundation

/// A file that is written under a temporary name and moved to its path when it is complete.
///
/// ```swift
/// let file = try StagedFile(at: "\(folder)/steps.csv", over: .nothing)
/// try "day,steps\n".write(toFile: file.temporaryPath, atomically: false, encoding: .utf8)
/// try file.commit()      // only now is there a steps.csv
/// ```
/// Until ``commit()``, a file at the path stays as it is. If the process is killed, the next
/// process of the same account that stages a file in the folder removes the temporary file. Only
/// the owner can read and write the file.
package final class StagedFile {
    /// What the file may replace.
    package enum Existing: Sendable {
        /// Nothing: an existing file is an error.
        case nothing
        /// An existing regular file that isn't a store or a file beside one.
        case file
    }

    /// The path of the finished file, with symbolic links resolved.
    package let path: String
    /// The path to write to before ``commit()``. It is an empty file at first.
    package let temporaryPath: String
    private let existing: Existing
    /// Held as long as this object exists, so that other processes don't treat the file as an
    /// orphan.
    private let lock: FileLock
    private var isCommitted = false

    /// Creates an empty temporary file beside a path, and removes orphans of killed processes
    /// there.
    ///
    /// - Parameters:
    ///   - path: The path of the finished file. A symbolic link is followed and kept.
    ///   - existing: What the file may replace.
    /// - Throws: ``StoreError`` if a file exists that may not be replaced, or the folder isn't
    ///   writable. A store, or a file beside one, is never replaced.
    package init(at path: String, over existing: Existing) throws {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        try StagedFile.check(path, existing)
        StagedFile.removeOrphans(besides: path)
        var attempt = 0
        var (name, newLock) = ("", FileLock?.none)
        repeat {
            name =
                "\(path).\(ProcessInfo.processInfo.processIdentifier)-\(attempt)\(StagedFile.suffix)"
            newLock = FileLock(name, O_WRONLY | O_CREAT | O_EXCL)
            if let lock = newLock, !StagedFile.lockNewFile(lock, name) {
                // Another process removed it as an orphan before it was locked.
                newLock = nil
                errno = EEXIST
            }
            attempt += 1
        } while newLock == nil && errno == EEXIST && attempt < 100
        guard let newLock else { throw StagedFile.writeFailure(path) }
        lock = newLock
        self.path = path
        temporaryPath = name
        self.existing = existing
    }

    deinit {
        // If this fails, the next process that stages a file in the folder removes it.
        if !isCommitted { unlink(temporaryPath) }
    }

    /// Synchronizes the file to disk and moves it to its path.
    ///
    /// - Throws: ``StoreError`` if that fails, or if a file that may not be replaced exists there
    ///   by now.
    package func commit() throws {
        try synchronize()
        try StagedFile.check(path, existing)
        switch existing {
        case .file:
            guard rename(temporaryPath, path) == 0 else { throw StagedFile.writeFailure(path) }
        case .nothing:
            // A hard link fails if the name is taken. Some file systems have no hard links.
            if link(temporaryPath, path) == 0 {
                // If this fails, the second name stays and is removed later as an orphan.
                unlink(temporaryPath)
            } else if errno == EEXIST {
                throw StagedFile.fileExists(path)
            } else if rename(temporaryPath, path) != 0 {
                throw StagedFile.writeFailure(path)
            }
        }
        isCommitted = true
    }

    private func synchronize() throws {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StagedFile.writeFailure(path) }
        // Opened for reading only, so an error of close loses nothing.
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StagedFile.writeFailure(path) }
    }

    private static func check(_ path: String, _ existing: Existing) throws {
        try refuseStores(path)
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw StoreError(isFolder ? .folderExists(at: path) : .specialFileExists(at: path))
        }
        if existing == .nothing { throw fileExists(path) }
    }

    /// Throws if the path is a store, or a file that SQLite or an import keeps beside an existing
    /// one.
    private static func refuseStores(_ path: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] where path.hasSuffix(suffix) {
            guard StoreFile.isStore(path: String(path.dropLast(suffix.count))) else { continue }
            throw StoreError(.storeExists(at: path, isMainFile: suffix.isEmpty))
        }
    }

    private static func fileExists(_ path: String) -> StoreError {
        StoreError(.fileExists(at: path))
    }

    private static func writeFailure(_ path: String) -> StoreError {
        StoreError(.fileFailed(.write, at: path, FileFault(errorNumber: errno)))
    }
}

// MARK: - Orphaned temporary files

extension StagedFile {
    private static let suffix = ".partial"

    /// Locks a new file. Returns false if another process has removed or replaced it.
    private static func lockNewFile(_ lock: FileLock, _ name: String) -> Bool {
        // Without lock support, other processes can't treat the file as an orphan either.
        _ = lock.acquire()
        return lock.isFile(at: name)
    }

    /// Removes the temporary files that ended processes of this account left in the folder of a
    /// path: those whose lock is free. Other files, and those that can't be locked, stay.
    static func removeOrphans(besides path: String) {
        // A file that can't be removed does no harm.
        forEachOrphan(in: StoreFile.folder(of: path)) { unlink($0) }
    }

    /// Calls `body` with the path of each temporary file that an ended process of this account left
    /// in a folder.
    ///
    /// - Parameter body: Called while the file is locked, so that no other process removes it.
    package static func forEachOrphan(in folder: String, _ body: (String) -> Void) {
        // If the folder can't be listed, the later write reports the error.
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.isEmpty ? "." : folder)
        for name in names ?? [] where isTemporary(name) {
            let file = folder.isEmpty ? name : folder == "/" ? "/" + name : folder + "/" + name
            var status = stat()
            guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_mode & 0o777 == 0o600, status.st_uid == geteuid()
            else { continue }
            guard let lock = FileLock(file, O_RDONLY | O_NOFOLLOW) else { continue }
            withExtendedLifetime(lock) {
                if lock.acquire() == .acquired, lock.isFile(at: file) { body(file) }
            }
        }
    }

    /// Returns whether a name has the form "steps.csv.4711-0.partial".
    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasSuffix(suffix) else { return false }
        let parts = name.dropLast(suffix.count).split(separator: ".").last?.split(separator: "-")
        return parts?.count == 2
            && parts?.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } } == true
    }
}

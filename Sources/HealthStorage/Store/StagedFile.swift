import Foundation

/// A file that is made beside its place, under a name of its own, and moved there when it is whole.
///
/// ```swift
/// let file = try StagedFile(at: "steps.csv", over: .nothing)
/// try write(to: file.temporaryPath)
/// try file.place()      // only now there is a steps.csv
/// ```
/// Whatever happens before ``place()``, nothing stays behind and what stood there stands: what a process
/// that was killed has left is removed by the next one that writes to the folder. Only its owner may
/// read the file.
public final class StagedFile {
    /// What the file may take the place of.
    public enum Existing: Sendable {
        /// A file that is there is left alone, and the caller told.
        case nothing
        /// A file that is there is replaced.
        case file
    }

    /// Where the file will be.
    public let path: String
    /// Where it is until then: an empty file at first.
    public let temporaryPath: String
    private let existing: Existing
    /// Open and locked (`flock`) until the file is in its place: so that others see that it has an owner.
    private let descriptor: Int32
    private var isPlaced = false

    /// A link is followed: what it leads to is made or replaced, and the link stays.
    ///
    /// - Throws: ``StoreError`` if something is there that may not be replaced, which a store never
    ///   may, or nothing can be written there.
    public init(at path: String, over existing: Existing) throws {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        try StagedFile.check(path, existing)
        StagedFile.removeOrphans(besides: path)
        var attempt = 0
        var (name, descriptor) = ("", Int32(-1))
        repeat {
            name =
                "\(path).\(ProcessInfo.processInfo.processIdentifier)-\(attempt)\(StagedFile.suffix)"
            descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0, !StagedFile.own(descriptor, name) {
                // Another process took it for an orphan before it was locked.
                close(descriptor)
                (descriptor, errno) = (-1, EEXIST)
            }
            attempt += 1
        } while descriptor < 0 && errno == EEXIST && attempt < 100
        guard descriptor >= 0 else { throw StagedFile.unwritable(path) }
        self.descriptor = descriptor
        self.path = path
        temporaryPath = name
        self.existing = existing
    }

    deinit {
        if !isPlaced { unlink(temporaryPath) }
        close(descriptor)
    }

    /// Moves the file to its place once the disk has it.
    ///
    /// - Throws: ``StoreError``, also if a file has come to stand there meanwhile that may not be
    ///   replaced.
    public func place() throws {
        try synchronize()
        try StagedFile.check(path, existing)
        switch existing {
        case .file:
            guard rename(temporaryPath, path) == 0 else { throw StagedFile.unwritable(path) }
        case .nothing:
            // A link is refused where a name is taken; some file systems have none.
            if link(temporaryPath, path) == 0 {
                unlink(temporaryPath)
            } else if errno == EEXIST {
                throw StagedFile.taken(path)
            } else if rename(temporaryPath, path) != 0 {
                throw StagedFile.unwritable(path)
            }
        }
        isPlaced = true
    }

    private func synchronize() throws {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StagedFile.unwritable(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StagedFile.unwritable(path) }
    }

    private static func check(_ path: String, _ existing: Existing) throws {
        try refuseStores(path)
        var facts = stat()
        guard stat(path, &facts) == 0 else { return }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            let isFolder = facts.st_mode & S_IFMT == S_IFDIR
            throw StoreError(
                .notPermitted,
                isFolder
                    ? "\(path) is a folder; name a file in it."
                    : "\(path) is no ordinary file; choose another name.")
        }
        if existing == .nothing { throw taken(path) }
    }

    /// Nobody means to lose a store, or the log beside it, for a copy of what is in it.
    private static func refuseStores(_ path: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] where path.hasSuffix(suffix) {
            guard StoreFile.isStore(path: String(path.dropLast(suffix.count))) else { continue }
            throw StoreError(
                .notPermitted,
                "\(path) is \(suffix.isEmpty ? "" : "part of ")a store of openhealth, which "
                    + "nothing replaces; choose another name.")
        }
    }

    private static func taken(_ path: String) -> StoreError {
        StoreError(
            .notPermitted,
            "\(path) is there already; choose another name, or replace it with --force.")
    }

    private static func unwritable(_ path: String) -> StoreError {
        StoreError(
            errno == ENOSPC ? .full : .notPermitted,
            "\(path) can't be written: \(FileSizeLimit.reason(errno)).")
    }
}

// MARK: - Files that nobody owns any more

extension StagedFile {
    private static let suffix = ".partial"

    /// Locks a file just made; false if it is no longer the one of that name.
    private static func own(_ descriptor: Int32, _ name: String) -> Bool {
        // Where a file system has no such locks, nobody can take the file for an orphan either.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        return isSame(descriptor, name)
    }

    private static func isSame(_ descriptor: Int32, _ name: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(name, &named) == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    /// Removes the temporary files in the folder of a path whose process has ended: nobody holds their
    /// lock. A file that is no temporary one of this user's, or can't be locked, is left alone.
    static func removeOrphans(besides path: String) {
        forEachOrphan(in: StoreFile.folder(of: path)) { unlink($0) }
    }

    /// Visits the files that killed processes of this account have left in a folder, but none that a
    /// process still writes.
    ///
    /// - Parameter body: Called while the file is locked, so that no process takes it for its own.
    package static func forEachOrphan(in folder: String, _ body: (String) -> Void) {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.isEmpty ? "." : folder)
        for name in names ?? [] where isTemporary(name) {
            let file = folder.isEmpty ? name : folder == "/" ? "/" + name : folder + "/" + name
            var status = stat()
            guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_mode & 0o777 == 0o600, status.st_uid == geteuid()
            else { continue }
            let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, file) { body(file) }
        }
    }

    /// Whether a name is "steps.csv.4711-0.partial".
    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasSuffix(suffix) else { return false }
        let parts = name.dropLast(suffix.count).split(separator: ".").last?.split(separator: "-")
        return parts?.count == 2
            && parts?.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } } == true
    }
}

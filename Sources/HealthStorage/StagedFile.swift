import Foundation

/// A file that is made beside its place, under a name of its own, and moved there when it is whole.
///
/// ```swift
/// let file = try StagedFile(at: "steps.csv", over: .nothing)
/// try write(to: file.temporaryPath)
/// try file.place()      // only now there is a steps.csv
/// ```
/// Whatever happens before ``place()``, nothing stays behind and what stood there stands. Only its
/// owner may read the file.
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
    private var isPlaced = false

    /// A link is followed: what it leads to is made or replaced, and the link stays.
    ///
    /// - Throws: ``StoreError`` if something is there that may not be replaced, which a store never
    ///   may, or nothing can be written there.
    public init(at path: String, over existing: Existing) throws {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        try StagedFile.check(path, existing)
        var attempt = 0
        var (name, descriptor) = ("", Int32(-1))
        repeat {
            name = "\(path).\(ProcessInfo.processInfo.processIdentifier)-\(attempt).partial"
            descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            attempt += 1
        } while descriptor < 0 && errno == EEXIST && attempt < 100
        guard descriptor >= 0 else { throw StagedFile.unwritable(path) }
        close(descriptor)
        self.path = path
        temporaryPath = name
        self.existing = existing
    }

    deinit {
        if !isPlaced { unlink(temporaryPath) }
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
            "\(path) can't be written: \(String(cString: strerror(errno))).")
    }
}

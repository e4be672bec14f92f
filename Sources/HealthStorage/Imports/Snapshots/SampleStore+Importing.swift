import Foundation
import GRDB

extension SampleStore {
    /// Imports an export into the store at a path. If the import fails, the store doesn't change.
    ///
    /// If there is no file, a store is built beside the path, synchronized and moved to it, so that
    /// no reader sees an incomplete store and a crash leaves none at the path. Otherwise the import
    /// is one transaction. Only one import into a store can run at a time.
    ///
    /// - Parameters:
    ///   - path: The path of the store. Its folder is created if necessary.
    ///   - description: The data about the export.
    ///   - isCancelled: Called for every batch and every kept file, and for every thousandth row at
    ///     the end. Returning true ends the import with a ``StoreError`` of code `cancelled`.
    ///   - body: Writes the batches and calls ``SnapshotWriter/finish(_:)``.
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreError``, with code `busy` if another import or an undo is running, with
    ///   code `failed` if `body` doesn't call ``SnapshotWriter/finish(_:)``; and errors of `body`.
    /// - Complexity: O(m log n) for m imported and n stored samples.
    public static func importSnapshot<Value>(
        into path: String, _ description: SnapshotDescription,
        isCancelled: @escaping () -> Bool = { false },
        _ body: (SnapshotWriter, ImportContext) throws -> Value
    ) throws -> Value {
        try StoreFile.refuseDanglingLink(path)
        try StoreFile.createFolder(of: path)
        let lock = try ImportLock.acquire(for: path)
        defer { withExtendedLifetime(lock) {} }
        // Left by a killed import: an incomplete store, or a second name of a complete one.
        try StoreFile.remove(path + ".importing")
        if case .nothing = FileKind(path) {
        } else {
            let store = try SampleStore(at: path, access: .writing)
            // The import is committed or rolled back by now, so an error of close loses nothing.
            defer { try? store.close() }
            try store.removeStaleAttachments(at: description.importedAt)
            return try store.importing(description, isCancelled, body)
        }
        return try buildTemporaryStore(path, description, isCancelled, body)
    }

    /// Returns whether any process is importing into the store at a path, or undoing an import.
    ///
    /// ```swift
    /// if SampleStore.isBeingImported(into: path) { print("An import is under way.") }
    /// ```
    /// - Parameter path: The path of the store.
    /// - Returns: Whether an import or an undo is running.
    /// - Complexity: O(1), without waiting.
    public static func isBeingImported(into path: String) -> Bool {
        ImportLock.isHeld(path: path)
    }

    /// Access to data of the whole store during an import, inside its transaction.
    public struct ImportContext {
        let db: Database

        /// Returns the current home zone.
        ///
        /// - Returns: The zone; nil if none was set, as in a new store.
        /// - Throws: ``StoreError`` if the file can't be read.
        package func homeZone() throws -> HomeZone? {
            guard let name = try SampleStore.storedValue(.homeZone, db) else { return nil }
            let reason = try SampleStore.storedValue(.homeZoneReason, db)
            return HomeZone(
                identifier: name,
                reason: reason.flatMap(HomeZone.Reason.init(rawValue:)) ?? .specified)
        }

        /// Returns the person's characteristics.
        ///
        /// - Returns: Values by Apple's identifiers.
        /// - Throws: ``StoreError`` if the file can't be read.
        package func characteristics() throws -> [String: String] {
            try SampleStore.characteristics(db)
        }

        /// Sets the time zone of the store's days, in the transaction of the import.
        ///
        /// - Parameter zone: The zone, which isn't checked, and where it comes from.
        /// - Throws: An error if the file can't be written.
        public func setHomeZone(_ zone: HomeZone) throws { try SampleStore.setHomeZone(zone, db) }
    }

    private func importing<Value>(
        _ description: SnapshotDescription, _ isCancelled: @escaping () -> Bool,
        _ body: (SnapshotWriter, ImportContext) throws -> Value
    ) throws -> Value {
        try translatingErrors {
            try database.writeWithoutTransaction { db in
                var value: Value?
                try db.inTransaction(.immediate) {
                    try requireOwnSchema(db)
                    // If there are tombstones, an import must compare its records with them.
                    let isFirst =
                        try Int.readOne(
                            db,
                            sql: "SELECT 1 FROM sample UNION ALL SELECT 1 FROM tombstone LIMIT 1")
                        == nil
                    if isFirst {
                        try db.execute(sql: Schema.dropOrderIndex)
                        try db.execute(sql: Schema.dropEditTriggers)
                    }
                    let writer = try SnapshotWriter(
                        db, description, isFirst: isFirst, isCancelled: isCancelled)
                    value = try body(writer, ImportContext(db: db))
                    guard writer.isFinished else {
                        throw StoreError(.invalidImport(.unfinished))
                    }
                    try writer.storeTrace()
                    return .commit
                }
                guard let value else { throw StoreError(.invalidImport(.unfinished)) }
                return value
            }
        }
    }

    private static func buildTemporaryStore<Value>(
        _ path: String, _ description: SnapshotDescription, _ isCancelled: @escaping () -> Bool,
        _ body: (SnapshotWriter, ImportContext) throws -> Value
    ) throws -> Value {
        let temporaryPath = path + ".importing"
        do {
            try StoreFile.createFile(path: temporaryPath)
            let store = try SampleStore(path: temporaryPath, access: .creating, journal: .none)
            let value: Value
            do {
                value = try store.importing(description, isCancelled, body)
                try store.useWriteAheadLog()
                try store.close()
            } catch {
                // The file is removed below; the first error is reported.
                try? store.close()
                throw error
            }
            try StoreFile.sync(temporaryPath)
            try StoreFile.removeOrphans(of: path)
            try StoreFile.move(temporaryPath, to: path)
            return value
        } catch {
            // The next import removes what is left; the first error is reported.
            try? StoreFile.remove(temporaryPath)
            throw error
        }
    }
}

/// The lock file that allows only one import or undo at a time in a store.
enum ImportLock {
    /// Takes the lock of a store.
    ///
    /// - Returns: The lock, which must be kept until the import or undo has ended.
    /// - Throws: ``StoreError`` of code `busy` if it is held already, of another code if the lock
    ///   file can't be created.
    static func acquire(for path: String) throws -> FileLock {
        guard let lock = FileLock(file(of: path), O_CREAT | O_RDWR) else {
            throw StoreError(
                .fileFailed(.create, at: file(of: path), FileFault(errorNumber: errno)))
        }
        guard lock.acquire() == .acquired else {
            throw StoreError(.importRunning(into: path))
        }
        return lock
    }

    static func isHeld(path: String) -> Bool { FileLock.isHeld(file(of: path)) }

    private static func file(of path: String) -> String { path + ".lock" }
}

extension StoreFile {
    /// Removes an incomplete store and SQLite's files beside it, as far as they exist.
    static func remove(_ path: String) throws {
        try remove(path, ["", "-journal", "-wal", "-shm"])
    }

    /// Removes the logs of a deleted store, which SQLite would apply to a new one with the same
    /// name.
    static func removeOrphans(of path: String) throws {
        if FileManager.default.fileExists(atPath: path) { return }
        try remove(path, ["-journal", "-wal", "-shm"])
    }

    private static func remove(_ path: String, _ suffixes: [String]) throws {
        for suffix in suffixes {
            let file = path + suffix
            var status = stat()
            guard lstat(file, &status) == 0 else { continue }
            // `unlink` doesn't remove folders, which an import never creates.
            guard unlink(file) == 0 || errno == ENOENT else {
                throw StoreError(
                    .fileFailed(.removeLeftover, at: file, FileFault(errorNumber: errno)))
            }
        }
    }

    /// Synchronizes a file or folder to disk.
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unsynchronized(path) }
        // Opened for reading only, so an error of close loses nothing.
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw unsynchronized(path) }
    }

    private static func unsynchronized(_ path: String) -> StoreError {
        StoreError(.fileFailed(.synchronize, at: path, FileFault(errorNumber: errno)))
    }

    /// Moves a finished file to its path.
    ///
    /// - Throws: ``StoreError`` of code `busy` if another file exists there by now, of another code
    ///   if it can't be moved.
    static func move(_ temporaryPath: String, to path: String) throws {
        if link(temporaryPath, path) == 0 {
            // If this fails, a second name stays, which the next import removes.
            unlink(temporaryPath)
        } else if errno == EEXIST {
            throw StoreError(.storeAppeared(at: path))
        } else if access(path, F_OK) == 0 || rename(temporaryPath, path) != 0 {
            // Some file systems have no hard links. With the import lock held, a rename is safe
            // too.
            throw StoreError(.fileFailed(.move, at: path, FileFault(errorNumber: errno)))
        }
        // The store is in place. If the folder can't be synchronized now, the move is durable
        // later.
        let folder = folder(of: path)
        try? sync(folder.isEmpty ? "." : folder)
    }
}

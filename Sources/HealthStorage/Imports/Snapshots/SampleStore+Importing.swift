import Foundation
import GRDB

extension SampleStore {
    /// Runs an import into the store at a path: all of it, or the store exactly as before.
    ///
    /// Where there is no file, the store is built beside, synced and put in place by renaming, so that
    /// a reader or a crash never sees half of it. Where there is one, the import is one transaction.
    /// A second import at the same time is refused.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked once a batch; true ends the import with ``StoreError`` `cancelled`.
    ///   - body: Writes batches and ends with ``SnapshotWriter/finish(_:)``.
    /// - Throws: ``StoreError``, and whatever `body` throws.
    public static func importSnapshot<Value>(
        into path: String, _ description: SnapshotDescription,
        isCancelled: @escaping () -> Bool = { false },
        _ body: (SnapshotWriter, ImportContext) throws -> Value
    ) throws -> Value {
        try StoreFile.refuseDanglingLink(path)
        try StoreFile.makeFolder(of: path)
        let lock = try ImportLock(path: path)
        defer { lock.release() }
        // What an import that was killed has left: half a store, or a second name of the whole one.
        try StoreFile.remove(path + ".importing")
        if case .nothing = FileKind(path) {
        } else {
            let store = try SampleStore(at: path, access: .writing)
            defer { try? store.close() }
            return try store.importing(description, isCancelled, body)
        }
        return try buildBeside(path, description, isCancelled, body)
    }

    /// Whether an import into a path is under way, by whichever process.
    ///
    /// ```swift
    /// if SampleStore.isBeingImported(into: path) { print("An import is under way.") }
    /// ```
    /// - Complexity: O(1); waits for nobody.
    public static func isBeingImported(into path: String) -> Bool {
        ImportLock.isHeld(path: path)
    }

    /// What an import may see and set of the store as a whole.
    public struct ImportContext {
        let db: Database

        /// The home zone so far; nil in a new store.
        public func homeZone() throws -> HomeZone? {
            guard let name = try SampleStore.fact(.homeZone, db) else { return nil }
            let reason = try SampleStore.fact(.homeZoneReason, db)
            return HomeZone(
                identifier: name, reason: reason.flatMap(HomeZone.Reason.init(rawValue:)) ?? .given)
        }

        /// What the store knows of the person, by Apple's characteristic identifiers.
        public func characteristics() throws -> [String: String] {
            try SampleStore.characteristics(db)
        }

        /// Sets the zone the store's days are cut in, with the import or not at all.
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
                    // Where something was deleted, an import has to look before it adds.
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
                        throw StoreError(.failed, "The import did not finish.")
                    }
                    try writer.keepTrace()
                    return .commit
                }
                guard let value else { throw StoreError(.failed, "The import did not finish.") }
                return value
            }
        }
    }

    private static func buildBeside<Value>(
        _ path: String, _ description: SnapshotDescription, _ isCancelled: @escaping () -> Bool,
        _ body: (SnapshotWriter, ImportContext) throws -> Value
    ) throws -> Value {
        let beside = path + ".importing"
        do {
            try StoreFile.makeFile(path: beside)
            let store = try SampleStore(path: beside, access: .creating, journal: .none)
            let value: Value
            do {
                value = try store.importing(description, isCancelled, body)
                try store.useWriteAheadLog()
                try store.close()
            } catch {
                try? store.close()
                throw error
            }
            try StoreFile.sync(beside)
            try StoreFile.removeOrphans(of: path)
            try StoreFile.place(beside, at: path)
            return value
        } catch {
            try? StoreFile.remove(beside)
            throw error
        }
    }
}

/// Sees to it that one import runs at a time: an advisory lock that ends with its process.
struct ImportLock {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = open(
            path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                .notPermitted, "\(path).lock cannot be made: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StoreError(
                .busy, "Another import into \(path) is running; wait until it is done.")
        }
    }

    func release() { close(descriptor) }

    static func isHeld(path: String) -> Bool {
        let descriptor = open(path + ".lock", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}

extension StoreFile {
    /// Removes a half-built file and what SQLite keeps beside it.
    static func remove(_ path: String) throws {
        try remove(path, ["", "-journal", "-wal", "-shm"])
    }

    /// Removes the log of a store that is no more: SQLite would play it into a new one of that name.
    static func removeOrphans(of path: String) throws {
        if FileManager.default.fileExists(atPath: path) { return }
        try remove(path, ["-journal", "-wal", "-shm"])
    }

    private static func remove(_ path: String, _ suffixes: [String]) throws {
        for suffix in suffixes {
            let file = path + suffix
            var status = stat()
            guard lstat(file, &status) == 0 else { continue }
            // Only a file: a folder of that name is somebody's.
            guard unlink(file) == 0 || errno == ENOENT else {
                throw StoreError(
                    .notPermitted, "\(file) is left of an earlier import and can't be removed.")
            }
        }
    }

    /// Waits until a file's bytes are on the disk.
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw StoreError(.failed, "\(path) can't be synced.") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(
                .failed, "\(path) can't be synced: \(String(cString: strerror(errno))).")
        }
    }

    /// Gives a finished file its name, unless somebody else has made one meanwhile.
    static func place(_ beside: String, at path: String) throws {
        if link(beside, path) == 0 {
            unlink(beside)
        } else if errno == EEXIST {
            throw StoreError(.busy, "Another process made a store at \(path) meanwhile.")
        } else if access(path, F_OK) == 0 || rename(beside, path) != 0 {
            // Some file systems know no links; under the import's lock a rename does as well.
            throw StoreError(
                .notPermitted,
                "\(path) can't be put in place: \(String(cString: strerror(errno))).")
        }
        // The store is in place; a folder that can't be synced only delays when that is certain.
        let folder = folder(of: path)
        try? sync(folder.isEmpty ? "." : folder)
    }
}

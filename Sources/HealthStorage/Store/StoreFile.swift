import CSQLiteSettings
import Foundation
import GRDB
import GRDBSQLite

/// Opens, recognizes and protects the file of a store.
enum StoreFile {
    static func configuration(_ access: SampleStore.Access) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = access == .reading
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -32768")
            try db.execute(sql: "PRAGMA temp_store = FILE")
            // Views and triggers of the file may call only functions that SQLite marks as harmless.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try DefensiveMode.set(true, db)
            if access != .reading {
                // Whatever SQLite's build options are: overwrite deleted data, and check the cells
                // of a page before the page is used.
                try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON")
            } else {
                // Read pages from the system's file cache without copying. At most 64 MB are
                // mapped, because mapped pages count as the process's memory.
                try db.execute(sql: "PRAGMA mmap_size = 67108864")
            }
        }
        return configuration
    }

    /// Checks the path before SQLite opens it, and creates an empty file, with its folder, if that
    /// is allowed.
    static func prepare(path: String, access: SampleStore.Access) throws {
        try refuseDanglingLink(path)
        let files = FileManager.default
        var isDirectory: ObjCBool = false
        let exists = files.fileExists(atPath: path, isDirectory: &isDirectory)
        if exists, isDirectory.boolValue {
            throw StoreError(.folder(at: path))
        }
        if exists {
            try refuseOtherKinds(path)
            try OpenFiles.unlessOpen(at: path) { try checkHeader(path: path) }
        } else if access != .creating {
            throw StoreError(.noStore(at: path))
        } else {
            try createFolder(of: path)
            try createFile(path: path)
        }
    }

    /// Throws for a symbolic link without a target. A new store isn't created there, because the
    /// target may be on a disk that isn't mounted.
    static func refuseDanglingLink(_ path: String) throws {
        // An error means that the path is no link.
        guard access(path, F_OK) != 0,
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        else { return }
        throw StoreError(.danglingLink(at: path, to: target))
    }

    /// Throws if the path is a pipe, a socket or a device, or if a path that SQLite opens beside it
    /// is one of these or a folder. Opening a pipe can block.
    private static func refuseOtherKinds(_ path: String) throws {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let kind = FileKind(path + suffix)
            if suffix.isEmpty, case .folder = kind { continue }
            guard let name = kind.displayName else { continue }
            if suffix.isEmpty { throw StoreError(.specialFile(at: path, kind: name)) }
            throw StoreError(.specialFileBeside(at: path + suffix, kind: name))
        }
    }

    /// Returns the path before the last slash; "/" for a path in the root folder, empty if there is
    /// no slash. (NSString's `deletingLastPathComponent` traps on a name of one letter.)
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates the folder of a path, accessible only to its owner. An existing folder isn't
    /// changed.
    static func createFolder(of path: String) throws {
        let folder = StoreFile.folder(of: path)
        guard !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(.folderNotCreated(folder))
        }
    }

    /// Creates an empty file that only its owner can read and write.
    static func createFile(path: String) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(.fileFailed(.create, at: path, FileFault(errorNumber: errno)))
        }
        // Nothing was written, so an error of close loses nothing.
        close(descriptor)
    }

    /// Reads the file's header without SQLite, and throws unless the file is empty or may be a
    /// store.
    private static func checkHeader(path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw StoreError(.notAccessible(at: path, .read))
        }
        // If the header can't be read, SQLite reports the error when it opens the file.
        defer { try? file.close() }
        let header = (try? file.read(upToCount: 100)) ?? Data()
        if header.isEmpty { return }
        guard header.count == 100, header.starts(with: Data("SQLite format 3\0".utf8)) else {
            throw StoreError(.noStoreFile(at: path))
        }
        let applicationID = header[68..<72].reduce(0) { $0 << 8 | Int32($1) }
        if applicationID != 0, applicationID != Schema.applicationID {
            throw StoreError(.foreignDatabase(at: path))
        }
    }

    /// Returns whether a file's header is that of SQLite with the application id of a store, even
    /// if the file is damaged behind it.
    static func isStore(path: String) -> Bool {
        guard case .file = FileKind(path) else { return false }
        var isStore = true  // A file that this process has open is a store.
        OpenFiles.unlessOpen(at: path) {
            let file = FileHandle(forReadingAtPath: path)
            // A file that can't be read counts as no store. It was only read, so an error of close
            // loses nothing.
            let header = (try? file?.read(upToCount: 72)) ?? Data()
            try? file?.close()
            isStore =
                header.count == 72 && header.starts(with: Data("SQLite format 3\0".utf8))
                && header[68..<72].reduce(0) { $0 << 8 | Int32($1) } == Schema.applicationID
        }
        return isStore
    }

    /// Whether opening a file with an altered schema throws, or leaves the report to a check.
    enum SchemaPolicy { case refused, reported }

    /// Who writes to a store: any program, or only the log from which it is built.
    enum Writer { case program, log }

    static func connect(
        path: String, access: SampleStore.Access, journal: SampleStore.Journal,
        alteredSchema: SchemaPolicy = .refused, writer: Writer = .program
    ) throws -> any DatabaseWriter {
        do {
            var queue = try DatabaseQueue(path: path, configuration: configuration(access))
            if access == .reading, try isOlder(queue) {
                try migrate(path: path)
                queue = try DatabaseQueue(path: path, configuration: configuration(access))
            }
            try queue.writeWithoutTransaction { db in
                try validate(db, path: path, access: access)
                if alteredSchema == .refused { try SchemaComparison.require(db, path: path) }
                if access != .reading, writer == .program { try refuseLog(db, path: path) }
                if access == .reading || writer == .log, try isBuiltFromLog(db) {
                    // A server has many of them open.
                    try db.execute(sql: "PRAGMA cache_size = -2048; PRAGMA mmap_size = 4194304")
                }
            }
            if access != .reading {
                try queue.writeWithoutTransaction { db in
                    switch journal {
                    case .wal:
                        try db.execute(
                            sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
                    case .none:
                        // A new file is written without a journal, which defensive mode doesn't
                        // allow.
                        try DefensiveMode.set(false, db)
                        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
                    }
                }
                // Take the write lock only if there is something to write: another process may be
                // importing.
                if try !queue.read({ try isReady($0, writer) }) {
                    try Schema.migrator.migrate(queue)
                    try queue.write { db in
                        if writer == .program { try Interning.adoptCatalogue(db) }
                        try SegmentWriter.fill(db, .unlimited)
                    }
                }
            }
            return queue
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        } catch is RowDecodingError {
            throw StoreError.damaged(path)
        }
    }

    /// Returns whether a store lacks schema migrations and has no unknown ones.
    private static func isOlder(_ queue: DatabaseQueue) throws -> Bool {
        try queue.read { db in
            guard try Int32.readOne(db, sql: "PRAGMA application_id") == Schema.applicationID,
                try SchemaComparison.hasMigrationTable(db),
                try !Schema.migrator.hasBeenSuperseded(db)
            else { return false }
            return try !Schema.migrator.hasCompletedMigrations(db)
        }
    }

    /// Returns whether all migrations have run and no stored type needs a catalogue code. In a store
    /// that is built from a log, codes change by a change of the log.
    private static func isReady(_ db: Database, _ writer: Writer) throws -> Bool {
        try Schema.migrator.hasCompletedMigrations(db)
            && (writer == .log || !Interning.canAdoptCatalogue(db))
    }

    /// Runs the missing migrations if the file is writable. Otherwise the caller's next check
    /// throws.
    private static func migrate(path: String) throws {
        guard Foundation.access(path, W_OK) == 0 else { return }
        _ = try connect(path: path, access: .writing, journal: .wal)
    }

    /// Throws if only a log writes to the store.
    private static func refuseLog(_ db: Database, path: String) throws {
        if try isBuiltFromLog(db) { throw StoreError(.builtFromLog(at: path)) }
    }

    private static func isBuiltFromLog(_ db: Database) throws -> Bool {
        try SchemaComparison.hasMigrationTable(db) && LogPosition.isPresent(db)
    }

    private static func validate(_ db: Database, path: String, access: SampleStore.Access) throws {
        // SQLite silently opens a file without write permission as read-only.
        if access != .reading, sqlite3_db_readonly(db.sqliteConnection, "main") != 0 {
            throw StoreError(.notAccessible(at: path, .write))
        }
        let applicationID = try Int32.readOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.readOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        if applicationID == 0, tables == 0 {
            if access == .reading {
                throw StoreError(.emptyFile(at: path))
            }
            return
        }
        guard applicationID == Schema.applicationID else {
            throw StoreError(.foreignDatabase(at: path))
        }
        // The schema comparison reports a missing migration table.
        guard try SchemaComparison.hasMigrationTable(db) else { return }
        if try Schema.migrator.hasBeenSuperseded(db) {
            throw StoreError(.writtenByNewerVersion(at: path))
        }
        if access == .reading, try !Schema.migrator.hasCompletedMigrations(db) {
            throw StoreError(.writtenByOlderVersion(at: path))
        }
    }
}

/// SQLite's defensive mode. No statement may edit the schema as text, write to the internal tables
/// of virtual tables, or switch off the rollback journal.
enum DefensiveMode {
    /// Sets the mode of a connection.
    ///
    /// - Throws: ``StoreError`` of code `failed` for SQLite before 3.26, which lacks the mode.
    static func set(_ isOn: Bool, _ db: Database) throws {
        guard sqlite3_set_defensive(db.sqliteConnection, isOn ? 1 : 0) == SQLITE_OK else {
            throw StoreError(.sqliteTooOld(version: sqliteVersion))
        }
    }

    static func isOn(_ db: Database) -> Bool { sqlite3_is_defensive(db.sqliteConnection) != 0 }

    private static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
}

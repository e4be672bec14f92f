import Foundation
import GRDB
import GRDBSQLite

/// Opening, recognising and protecting the file itself.
enum StoreFile {
    static func configuration(_ access: SampleStore.Access) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = access == .reading
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -32768")
            try db.execute(sql: "PRAGMA temp_store = FILE")
            // Nothing that the file's schema holds may call what reaches beyond the file.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try DefensiveMode.set(true, db)
            if access != .reading {
                // However SQLite was built: what is deleted is overwritten, and a page that doesn't
                // add up is refused before it is written to.
                try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON")
            } else {
                // Pages are looked at where the system holds them, not copied; not all of a large file,
                // since what is mapped counts as memory.
                try db.execute(sql: "PRAGMA mmap_size = 67108864")
            }
        }
        return configuration
    }

    /// Checks and makes what must be there before SQLite sees the path.
    static func prepare(path: String, access: SampleStore.Access) throws {
        try refuseDanglingLink(path)
        let files = FileManager.default
        var isDirectory: ObjCBool = false
        let exists = files.fileExists(atPath: path, isDirectory: &isDirectory)
        if exists, isDirectory.boolValue {
            throw StoreError(
                .notAStore, "\(path) is a folder; name a file in it, like \(path)/health.sqlite.")
        }
        if exists {
            try refuseOtherKinds(path)
            try OpenFiles.look(at: path) { try checkHeader(path: path) }
        } else if access != .creating {
            throw StoreError(
                .missing,
                "There is no store at \(path) yet. Make one with: openhealth import export.zip")
        } else {
            try makeFolder(of: path)
            try makeFile(path: path)
        }
    }

    /// A link that leads nowhere is neither a store nor a place for a new one: what it led to may be
    /// on a disk that is not there now.
    static func refuseDanglingLink(_ path: String) throws {
        guard access(path, F_OK) != 0,
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        else { return }
        throw StoreError(
            .notPermitted,
            "\(path) is a link to \(target), which does not exist: bring that file or its disk back, "
                + "remove the link, or choose another store with --store.")
    }

    /// Refuses a path, or one that SQLite would open beside it, that leads to a pipe, a socket or a
    /// device: opening it could wait for ever.
    private static func refuseOtherKinds(_ path: String) throws {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let kind = FileKind(path + suffix)
            if suffix.isEmpty, case .folder = kind { continue }
            guard let words = kind.words else { continue }
            throw StoreError(
                .notAStore,
                suffix.isEmpty
                    ? "\(path) is \(words) and no store; choose one with --store."
                    : "\(path + suffix), which SQLite keeps beside the store, is \(words): move it away."
            )
        }
    }

    /// What stands before the last slash; empty if there is none. (NSString's
    /// `deletingLastPathComponent` traps on a name of one letter.)
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A folder that the store makes is for its owner alone; an existing one is left as it is.
    static func makeFolder(of path: String) throws {
        let folder = StoreFile.folder(of: path)
        guard !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(
                .notPermitted,
                "The folder \(folder) can't be made: check the one above it, or choose another place "
                    + "with --store.")
        }
    }

    /// Makes an empty file that only its owner can read, before a byte is in it.
    static func makeFile(path: String) throws {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                .notPermitted, "\(path) can't be made: \(String(cString: strerror(errno))).")
        }
        close(descriptor)
    }

    /// Tells an empty file, a store of ours and anything else apart, without SQLite's help.
    private static func checkHeader(path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw StoreError(.notPermitted, "\(path) can't be read: check its permissions.")
        }
        defer { try? file.close() }
        let header = (try? file.read(upToCount: 100)) ?? Data()
        if header.isEmpty { return }
        guard header.count == 100, header.starts(with: Data("SQLite format 3\0".utf8)) else {
            throw StoreError(
                .notAStore, "\(path) is no store of openhealth; choose one with --store.")
        }
        let mark = header[68..<72].reduce(0) { $0 << 8 | Int32($1) }
        if mark != 0, mark != Schema.applicationID {
            throw StoreError(
                .notAStore,
                "\(path) is a database of another program; choose a store with --store.")
        }
    }

    /// Whether a file carries the mark of a store; also if it is too damaged to be opened.
    static func isStore(path: String) -> Bool {
        guard case .file = FileKind(path) else { return false }
        var isStore = true  // Stores are what this process has open.
        OpenFiles.look(at: path) {
            let file = FileHandle(forReadingAtPath: path)
            let header = (try? file?.read(upToCount: 72)) ?? Data()
            try? file?.close()
            isStore =
                header.count == 72 && header.starts(with: Data("SQLite format 3\0".utf8))
                && header[68..<72].reduce(0) { $0 << 8 | Int32($1) } == Schema.applicationID
        }
        return isStore
    }

    /// What to do with a file whose schema isn't ours.
    enum SchemaPolicy { case refused, reported }

    static func connect(
        path: String, access: SampleStore.Access, journal: SampleStore.Journal,
        alteredSchema: SchemaPolicy = .refused
    ) throws -> any DatabaseWriter {
        do {
            var queue = try DatabaseQueue(path: path, configuration: configuration(access))
            if access == .reading, try isOlder(queue) {
                try bringUpToDate(path: path)
                queue = try DatabaseQueue(path: path, configuration: configuration(access))
            }
            try queue.writeWithoutTransaction { db in
                try recognise(db, path: path, access: access)
                if alteredSchema == .refused { try SchemaComparison.require(db, path: path) }
            }
            if access != .reading {
                try queue.writeWithoutTransaction { db in
                    switch journal {
                    case .wal:
                        try db.execute(
                            sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
                    case .none:
                        // A new file without a journal, which the defensive mode doesn't allow.
                        try DefensiveMode.set(false, db)
                        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
                    }
                }
                // Nobody waits for another process's import who has nothing to write.
                if try !queue.read(isReady) {
                    try Schema.migrator.migrate(queue)
                    try queue.write { db in
                        try Interning.adoptCatalogue(db)
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

    /// Whether a store of ours lacks steps of the schema, and has none that are unknown.
    private static func isOlder(_ queue: DatabaseQueue) throws -> Bool {
        try queue.read { db in
            guard try Int32.readOne(db, sql: "PRAGMA application_id") == Schema.applicationID,
                try SchemaComparison.hasSteps(db), try !Schema.migrator.hasBeenSuperseded(db)
            else { return false }
            return try !Schema.migrator.hasCompletedMigrations(db)
        }
    }

    /// Whether every step of the schema has been taken, and no type waits to get its number.
    private static func isReady(_ db: Database) throws -> Bool {
        try Schema.migrator.hasCompletedMigrations(db) && !Interning.canAdoptCatalogue(db)
    }

    /// Runs the missing steps, if the file may be written; else reading is refused as it stands.
    private static func bringUpToDate(path: String) throws {
        guard Foundation.access(path, W_OK) == 0 else { return }
        _ = try connect(path: path, access: .writing, journal: .wal)
    }

    private static func recognise(_ db: Database, path: String, access: SampleStore.Access) throws {
        // SQLite opens a file that may not be written for reading, and says so only when asked.
        if access != .reading, sqlite3_db_readonly(db.sqliteConnection, "main") != 0 {
            throw StoreError(
                .notPermitted, "\(path) can be read but not written: check its permissions.")
        }
        let mark = try Int32.readOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.readOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        if mark == 0, tables == 0 {
            if access == .reading {
                throw StoreError(
                    .missing, "\(path) is empty. Fill it with: openhealth import export.zip")
            }
            return
        }
        guard mark == Schema.applicationID else {
            throw StoreError(
                .notAStore,
                "\(path) is a database of another program; choose a store with --store.")
        }
        // The comparison of schemas says so.
        guard try SchemaComparison.hasSteps(db) else { return }
        if try Schema.migrator.hasBeenSuperseded(db) {
            throw StoreError(
                .newerVersion,
                "\(path) was written by a newer openhealth, so this one leaves it alone: update it, or "
                    + "choose another store with --store.")
        }
        if access == .reading, try !Schema.migrator.hasCompletedMigrations(db) {
            throw StoreError(
                .failed,
                "\(path) was written by an older openhealth and can't be brought up to date: let it "
                    + "be written, or import your newest export into another one.")
        }
    }
}

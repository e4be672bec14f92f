import Foundation
import GRDB

/// Creates, checks and opens mirror files.
enum MirrorFile {
    static func inMemory() throws -> any DatabaseWriter {
        do {
            let queue = try DatabaseQueue(configuration: configuration)
            try MirrorSchema.migrator.migrate(queue)
            return queue
        } catch let error as DatabaseError {
            throw error.translated
        }
    }

    static func open(_ file: URL) throws -> any DatabaseWriter {
        try prepare(file)
        do {
            let pool = try DatabasePool(path: file.path, configuration: configuration)
            try MirrorSchema.migrator.migrate(pool)
            return pool
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_NOTADB { throw SyncError.foreignFile }
            throw error.translated
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "HealthSync.Mirror"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -32768")
            // UUIDs are random, so a batch changes many pages of their index. With rare
            // checkpoints, a page that many batches change is copied back to the file only once.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 16384")
            try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
            // Overwrites deleted data in the file, whatever SQLite's build default is.
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// Creates a missing file, and a missing folder, with access only for the owner. Rejects an
    /// existing file that is not a mirror's or has a newer schema version, before SQLite can change
    /// it.
    private static func prepare(_ file: URL) throws {
        try DatabasePaths.requireRegularFiles(file)
        let files = FileManager.default
        if files.fileExists(atPath: file.path) {
            try recognise(file)
            return
        }
        let folder = file.deletingLastPathComponent().path
        if !files.fileExists(atPath: folder) {
            do {
                try files.createDirectory(
                    atPath: folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch {
                throw MirrorError.unavailable
            }
        }
        do {
            // Does not overwrite a file that another process has just created.
            try Data().write(to: file, options: .withoutOverwriting)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch {
            guard files.fileExists(atPath: file.path) else { throw MirrorError.unavailable }
        }
    }

    /// Checks the application ID, the schema version and that there are no views, without writing.
    ///
    /// Uses SQLite, because closing a file that was opened directly releases all POSIX locks of the
    /// process on it.
    private static func recognise(_ file: URL) throws {
        var configuration = configuration
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try queue.read(checkMigrations)
            try queue.close()
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_NOTADB { throw SyncError.foreignFile }
            throw error.translated
        }
    }

    /// Checks an open database. A new file has no application ID and no tables until its first
    /// transaction is committed, and is accepted.
    ///
    /// - Throws: ``SyncError/foreignFile``, ``SyncError/newerFile(version:)``.
    private static func checkMigrations(_ db: Database) throws {
        let applicationID = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard applicationID == MirrorSchema.applicationID || (applicationID == 0 && tables == 0)
        else {
            throw SyncError.foreignFile
        }
        guard try !db.hasViews else { throw SyncError.foreignFile }
        guard tables > 0, try MirrorSchema.migrator.hasBeenSuperseded(db) else { return }
        let version = try MirrorSchema.migrator.appliedIdentifiers(db)
            .compactMap { Int($0) }.max()
        throw SyncError.newerFile(version: version.map(String.init) ?? "")
    }
}

/// The files that SQLite opens for a database: the database, its WAL, the WAL index and a rollback
/// journal.
enum DatabasePaths {
    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Rejects a database if one of its existing files is no regular file, because opening a pipe
    /// would block. Symbolic links are resolved.
    ///
    /// - Throws: ``SyncError/foreignFile``.
    static func requireRegularFiles(_ database: URL) throws {
        let path = database.path(percentEncoded: false)
        for suffix in suffixes {
            let file = URL(filePath: path + suffix).resolvingSymlinksInPath()
            guard
                let attributes = try? FileManager.default.attributesOfItem(
                    atPath: file.path(percentEncoded: false))
            else { continue }
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw SyncError.foreignFile
            }
        }
    }
}

extension Database {
    /// Whether the schema contains views. The schemas of this module have none, and a view in place
    /// of a table could have an unlimited number of rows.
    var hasViews: Bool {
        get throws {
            try Int.fetchOne(
                self, sql: "SELECT count(*) FROM sqlite_schema WHERE type = 'view'") != 0
        }
    }
}

import Foundation
import GRDB

/// Opening, recognising and protecting the mirror's file.
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
            // UUIDs fall anywhere in their index: pages that many batches touch are copied back into
            // the file once for all of them.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 16384")
            try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
            // However SQLite was built: what is removed is overwritten in the file.
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// Makes what must be there before SQLite sees the path, and refuses what isn't ours before a byte
    /// of it can change.
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
            // Not over a file that another process has made in between.
            try Data().write(to: file, options: .withoutOverwriting)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch {
            guard files.fileExists(atPath: file.path) else { throw MirrorError.unavailable }
        }
    }

    /// Looks at the file's mark and at the steps its schema has taken, reading only. Through SQLite:
    /// who opens a file by hand and closes it gives up the locks of all its process.
    private static func recognise(_ file: URL) throws {
        var configuration = configuration
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try queue.read(checkSteps)
            try queue.close()
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_NOTADB { throw SyncError.foreignFile }
            throw error.translated
        }
    }

    /// Before its first step is committed a file of ours bears no mark and holds no table.
    private static func checkSteps(_ db: Database) throws {
        let mark = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard mark == MirrorSchema.applicationID || (mark == 0 && tables == 0) else {
            throw SyncError.foreignFile
        }
        guard try !db.hasViews else { throw SyncError.foreignFile }
        guard tables > 0, try MirrorSchema.migrator.hasBeenSuperseded(db) else { return }
        let version = try MirrorSchema.migrator.appliedIdentifiers(db)
            .compactMap { Int($0) }.max()
        throw SyncError.newerFile(version: version.map(String.init) ?? "")
    }
}

public import Foundation
import GRDB

extension PositionFile {
    /// A position file that could not be used and was renamed.
    public struct QuarantinedFile: Hashable, Sendable {
        /// The file's URL after it was renamed. A position file contains positions, and UUIDs and
        /// times of samples for night handlers, but no health values. Inspect the file or delete
        /// it.
        public let url: URL
        /// Why the file could not be used.
        public let reason: Reason

        /// Why a position file cannot be used.
        public enum Reason: Hashable, Sendable {
            /// The file is no SQLite database, is truncated or corrupt, or is a position file
            /// without the expected schema.
            case damaged
            /// A newer version of this library wrote the file. `version` is the file's latest
            /// schema version.
            case newer(version: String)
        }

        /// The maximum number of renamed files beside a position file. If all names are in use, the
        /// file with the last name is overwritten. The others are kept, because one may be another
        /// file that was placed at the path by mistake.
        package static let maximumCount = 5
    }

    /// Returns why a position file cannot be used; nil if it can, or does not exist.
    ///
    /// - Throws: ``SyncError/foreignFile`` if the file is another program's database or no regular
    ///   file, and must therefore not be renamed; errors of SQLite or the file system if it cannot
    ///   be read.
    static func damage(of url: URL) throws -> QuarantinedFile.Reason? {
        let path = url.path(percentEncoded: false)
        try DatabasePaths.requireRegularFiles(url)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        // Throws if the attributes cannot be read, which is not damage.
        _ = try FileManager.default.attributesOfItem(atPath: path)
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        do {
            let database = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? database.close() }
            return try database.read(damage)
        } catch let error as DatabaseError where error.isDamage {
            return .damaged
        }
    }

    /// Returns why an open database cannot be used; nil if it can. A new file has no application ID
    /// and no tables until its first transaction is committed.
    ///
    /// - Throws: ``SyncError/foreignFile`` for another program's database.
    private static func damage(_ db: Database) throws -> QuarantinedFile.Reason? {
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        if tables == 0 { return nil }
        let applicationIDOfFile = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard applicationIDOfFile == applicationID else { throw SyncError.foreignFile }
        guard try !db.hasViews, try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok",
            try db.tableExists("grdb_migrations")
        else { return .damaged }
        if try migrator.hasBeenSuperseded(db) {
            let latest = try String.fetchOne(
                db, sql: "SELECT max(identifier) FROM grdb_migrations")
            return .newer(version: latest ?? "?")
        }
        guard try migrator.hasCompletedMigrations(db) else { return .damaged }
        for (table, columns) in tableColumns {
            guard try db.tableExists(table),
                try Set(db.columns(in: table).map(\.name)).isSuperset(of: columns)
            else { return .damaged }
        }
        return nil
    }

    private static let tableColumns: [String: Set<String>] = [
        "position": ["lane", "type", "filter", "anchor", "before", "caught_up"],
        "span": ["lane", "type", "filter", "uuid", "start", "end"],
        "night": ["lane", "middle", "touched"],
    ]

    /// Keeps a record in the file's `user_version` that positions were lost. The record is made if
    /// `isNew` is true. It is deleted when the file is opened while a position is stored.
    ///
    /// - Parameter isNew: Whether the file has just replaced an unusable one.
    /// - Returns: Whether positions were lost and none is stored at present.
    static func noteLoss(isNew: Bool, _ db: Database) throws -> Bool {
        if isNew {
            try db.execute(sql: "PRAGMA user_version = 1")
            return true
        }
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == 1 else { return false }
        let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM position") == 0
        if !isEmpty { try db.execute(sql: "PRAGMA user_version = 0") }
        return isEmpty
    }
}

extension PositionFile.QuarantinedFile {
    /// Renames a file and the files that SQLite keeps beside it.
    ///
    /// - Returns: nil if another process has renamed or removed the file meanwhile.
    init?(moving url: URL, _ reason: Reason) throws {
        let files = FileManager.default
        let path = url.path(percentEncoded: false)
        let names = (1...Self.maximumCount).map { path + ".set-aside-\($0)" }
        let free = names.first { !files.fileExists(atPath: $0) }
        let target = free ?? path + ".set-aside-\(Self.maximumCount)"
        // The database itself is renamed last, so that the next call repeats an interrupted one.
        for suffix in ["-wal", "-shm", "-journal", ""] {
            if files.fileExists(atPath: target + suffix) {
                try files.removeItem(atPath: target + suffix)
            }
            do {
                try files.moveItem(atPath: path + suffix, toPath: target + suffix)
            } catch {
                if files.fileExists(atPath: path + suffix) { throw error }
                if suffix.isEmpty { return nil }
            }
        }
        self.url = URL(fileURLWithPath: target)
        self.reason = reason
    }
}

extension DatabaseError {
    /// Whether the error is caused by the file's content, not by access to the file.
    fileprivate var isDamage: Bool {
        resultCode == .SQLITE_NOTADB || resultCode == .SQLITE_CORRUPT
            || extendedResultCode == .SQLITE_IOERR_SHORT_READ
    }
}

public import Foundation
import GRDB

extension PositionFile {
    /// A file that could not be gone on from, renamed.
    public struct SetAside: Hashable, Sendable {
        /// Where the file is now. It holds places in changes and no values: look at it or delete it.
        public let url: URL
        public let reason: Reason

        /// Why a file can't be gone on from.
        public enum Reason: Hashable, Sendable {
            /// It is no database, is cut short, or doesn't hold what a file of ours does.
            case damaged
            /// A later version of this library wrote it.
            case newer(version: String)
        }

        /// How many files are kept beside each other. The first ones stay, since a file that was put
        /// there by mistake is among them; the last name is used again.
        public static let most = 5
    }

    /// Why a file can't be gone on from; nil if it can, or if there is none yet.
    ///
    /// - Throws: ``SyncError/foreignFile`` for what must not be renamed; any other trouble as it comes.
    static func damage(of url: URL) throws -> SetAside.Reason? {
        let path = url.path(percentEncoded: false)
        try DatabasePaths.requireRegularFiles(url)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        // Throws where the file may not be looked at, which is not damage.
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

    /// Before its first step is committed a file of ours bears no mark and holds no table.
    private static func damage(_ db: Database) throws -> SetAside.Reason? {
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        if tables == 0 { return nil }
        let mark = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard mark == applicationID else { throw SyncError.foreignFile }
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

    /// Notes in the file's header that positions were lost, until readers have new ones.
    ///
    /// - Returns: Whether a reader without a position had one before.
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

extension PositionFile.SetAside {
    /// Renames a file, with what SQLite keeps beside it.
    ///
    /// - Returns: nil if another process did so first.
    init?(moving url: URL, _ reason: Reason) throws {
        let files = FileManager.default
        let path = url.path(percentEncoded: false)
        let names = (1...Self.most).map { path + ".set-aside-\($0)" }
        let free = names.first { !files.fileExists(atPath: $0) }
        let target = free ?? path + ".set-aside-\(Self.most)"
        // The file last: as long as it is there, whoever is interrupted begins again.
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
    /// Whether what is in the file is at fault, and not the way to it.
    fileprivate var isDamage: Bool {
        resultCode == .SQLITE_NOTADB || resultCode == .SQLITE_CORRUPT
            || extendedResultCode == .SQLITE_IOERR_SHORT_READ
    }
}

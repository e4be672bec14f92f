import Foundation
import GRDB

/// The files that SQLite opens for a database: the database, its log, the log's index and a rollback
/// journal.
enum DatabasePaths {
    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    /// Refuses a database of which one file is no regular file: opening a pipe would wait for ever.
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
    /// Whether the schema has views, which ours have not: one in the place of a table may have rows
    /// without end.
    var hasViews: Bool {
        get throws {
            try Int.fetchOne(
                self, sql: "SELECT count(*) FROM sqlite_schema WHERE type = 'view'") != 0
        }
    }
}

import GRDB

/// Copies a SQLite database while other processes use it.
package enum DatabaseCopy {
    /// Writes a consistent copy of a database to an empty or missing file. The copy is a single
    /// file without a write-ahead log.
    ///
    /// - Parameters:
    ///   - source: The path of the database.
    ///   - target: The path of the copy.
    /// - Throws: ``StoreError`` if the source can't be read, is damaged, or the disk is full.
    /// - Complexity: O(size). Writers of the source wait only while a page of theirs is read.
    package static func write(of source: String, to target: String) throws {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let original = try DatabaseQueue(path: source, configuration: configuration)
            defer { try? original.close() }
            let copy = try DatabaseQueue(path: target)
            try original.backup(to: copy)
            try copy.writeWithoutTransaction { db in
                // A copy of a database in WAL mode is in WAL mode too.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try copy.close()
        } catch let error as DatabaseError {
            throw StoreError(error, path: source)
        }
    }

    /// Gives a copied store an identifier of its own, so that positions that programs keep for the
    /// original don't apply to it: they read everything anew.
    ///
    /// - Parameter path: The path of a store that nobody uses.
    /// - Throws: ``StoreError`` if it can't be written.
    package static func renewIdentifier(of path: String) throws {
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                try db.execute(
                    sql: "UPDATE store SET value = hex(randomblob(16)) WHERE key = 'identifier'")
            }
            try queue.close()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }

    /// Writes the write-ahead log of a database that nobody uses into its file, and removes it.
    ///
    /// - Throws: ``StoreError`` if that fails, for example because another process reads.
    package static func removeWriteAheadLog(of path: String) throws {
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
            }
            try queue.close()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}

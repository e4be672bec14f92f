import Foundation
import GRDB

extension SampleStore {
    /// The beginning of the keys in the table `store` of the statements that create indexes.
    private static let indexKey = "index."

    /// Writes a copy of the store without what is derived: column segments, the log of edits, chunks
    /// of exports, and indexes, which are half of a file and hardly compress.
    /// ``completeLogCopy(at:)`` makes it a store again.
    ///
    /// - Parameter path: The path of the copy, which must not exist. Only its owner can read it.
    /// - Returns: The position in the log of the state that the copy has; nil for a store without a
    ///   log. The copy itself has no position.
    /// - Throws: ``StoreError`` if a file can't be read or written.
    /// - Complexity: O(samples).
    package func copyForLog(to path: String) throws -> LogPosition? {
        try StoreFile.createFile(path: path)
        try translatingErrors {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [path])
            }
        }
        var position: LogPosition?
        try SampleStore.changingCopy(at: path) { db in
            let text = try String.readOne(
                db, sql: "SELECT CAST(value AS TEXT) FROM store WHERE key = ?",
                arguments: [LogPosition.key])
            position = text.flatMap { LogPosition($0) }
            try db.execute(
                sql: "DELETE FROM segment; DELETE FROM edit; DELETE FROM export_chunk; "
                    + "DELETE FROM store WHERE key = ?",
                arguments: [LogPosition.key])
            let indexes = try CheckedRow.readAll(
                db,
                sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'index' "
                    + "AND sql IS NOT NULL ORDER BY rowid")
            for (number, index) in indexes.enumerated() {
                let (name, sql): (String, String) = (try index["name"], try index["sql"])
                // Four digits, so that the keys have the order of the statements.
                let key = SampleStore.indexKey + String(10_000 + number).dropFirst()
                try db.execute(
                    sql: "INSERT INTO store (key, value) VALUES (?, ?)", arguments: [key, sql])
                try db.execute(sql: "DROP INDEX \"\(name)\"")
            }
            try db.execute(sql: "VACUUM")
        }
        return position
    }

    /// Builds all missing column segments.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    /// - Complexity: O(samples).
    package func buildSegments() throws {
        try write { db in try SegmentWriter.fill(db, .unlimited) }
    }

    /// Returns whether all pages of the file can be read, without a comparison of their contents.
    ///
    /// - Throws: ``StoreError`` if the file can't be read at all.
    /// - Complexity: O(size of the file).
    package func isReadable() throws -> Bool {
        try read { db in
            try String.readAll(db, sql: "PRAGMA quick_check(1)") == ["ok"]
        }
    }

    /// Whether the store has types that the catalogue has gained since they were stored.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    package var lacksCatalogueCodes: Bool {
        get throws { try read { db in try Interning.canAdoptCatalogue(db) } }
    }

    /// Gives types that the catalogue has gained since the catalogue's codes. Other stores do that
    /// when they are opened; one that is built from a log does it as a change of its log.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    package func adoptCatalogue() throws { try write { db in try Interning.adoptCatalogue(db) } }

    /// Creates the indexes of a copy of ``copyForLog(to:)``. The store can be opened then.
    ///
    /// - Parameter path: The path of the copy.
    /// - Throws: ``StoreError`` if the file can't be read or written.
    /// - Complexity: O(n log n) for n samples.
    package static func completeLogCopy(at path: String) throws {
        try changingCopy(at: path) { db in
            let statements = try CheckedRow.readAll(
                db,
                sql: "SELECT CAST(value AS TEXT) AS sql FROM store WHERE key GLOB 'index.*' "
                    + "ORDER BY key")
            for statement in statements {
                let sql: String = try statement["sql"]
                try db.execute(sql: sql)
            }
            try db.execute(sql: "DELETE FROM store WHERE key GLOB 'index.*'")
        }
    }

    /// Changes the file of a copy. It isn't protected from a crash, after which it is removed.
    private static func changingCopy(at path: String, _ body: (Database) throws -> Void) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
        do {
            let copy = try DatabaseQueue(path: path, configuration: configuration)
            try copy.writeWithoutTransaction(body)
            try copy.close()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}

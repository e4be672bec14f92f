import Foundation
import GRDB
import HealthEngine

/// Where a store's state is in the log of its person: the store of a server of many people is built
/// from a log, and only that may write to it.
package struct LogPosition: Hashable, Sendable {
    /// The number of the last entry whose changes the store has.
    package var number: Int64
    /// The hash of that entry, in hexadecimal digits.
    package var hash: String

    package init(number: Int64, hash: String) {
        self.number = number
        self.hash = hash
    }

    var text: String { "\(number) \(hash)" }

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let number = Int64(words[0]), number > 0 else { return nil }
        self.init(number: number, hash: String(words[1]))
    }

    /// The key of its row in the table `store`.
    static let key = "logPosition"

    /// Returns whether the store of a connection is built from a log.
    static func isPresent(_ db: Database) throws -> Bool {
        // A file without the table is a new store, or damaged.
        guard try SchemaComparison.hasTable("store", db) else { return false }
        return try Int.readOne(db, sql: "SELECT 1 FROM store WHERE key = ?", arguments: [key])
            != nil
    }
}

extension SampleStore {
    /// Opens the store that a node keeps of a person, for the log's changes only.
    ///
    /// A power failure can damage it, because its writes aren't flushed to the disk: the log is
    /// the truth, and the store is built again.
    ///
    /// - Parameter path: The path of the store, which is created if it doesn't exist.
    /// - Returns: The store.
    /// - Throws: ``StoreError`` as for ``init(at:access:)``.
    package static func ofLog(at path: String) throws -> SampleStore {
        try StoreFile.prepare(path: path, access: .creating)
        let store = try SampleStore(
            path: path, access: .creating, journal: .wal, alteredSchema: .refused, writer: .log)
        try store.translatingErrors {
            try store.database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = OFF")
            }
        }
        return store
    }

    /// The store's position in the log of its person; nil for a store without a log.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    package var logPosition: LogPosition? {
        get throws {
            let text = try read { db in
                try String.readOne(
                    db, sql: "SELECT CAST(value AS TEXT) FROM store WHERE key = ?",
                    arguments: [LogPosition.key])
            }
            guard let text else { return nil }
            guard let position = LogPosition(text) else {
                throw StoreError.damaged("store.value of \(LogPosition.key)")
            }
            return position
        }
    }

    /// Sets the store's position in the log of its person; nil for a store without a log.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    package func setLogPosition(_ position: LogPosition?) throws {
        try write { db in
            guard let position else {
                return try db.execute(
                    sql: "DELETE FROM store WHERE key = ?", arguments: [LogPosition.key])
            }
            try db.execute(
                sql: "INSERT INTO store (key, value) VALUES (?, ?) "
                    + "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                arguments: [LogPosition.key, position.text])
        }
    }

    /// Gives the store a new random identifier, so that anchors and cursors from before are refused.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    package func renewIdentifier() throws {
        try write { db in
            try db.execute(
                sql: "UPDATE store SET value = hex(randomblob(16)) WHERE key = 'identifier'")
        }
    }

    /// The name of the store's last schema migration.
    package static var schemaVersion: String { Schema.latestVersion }
}

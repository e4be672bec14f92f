import Foundation
import Synchronization

/// The keys of persons, wrapped with the operator's key, in a database of their own: it isn't backed
/// up with the log, so that an erased person's data can't be read from a backup of the log.
///
/// Calls block their thread.
package final class KeyStore: Sendable {
    /// The most unwrapped keys to keep.
    private static let maximumKept = 4_096

    let database: any SQLDatabase
    private let operatorKey: OperatorKey
    /// The random identifier of the database.
    let identifier: String
    private let known = Mutex<[String: PersonKey]>([:])

    /// Opens the keys.
    ///
    /// - Throws: ``PeopleError/wrongOperatorKey`` if the stored keys were wrapped with another one.
    init(_ database: any SQLDatabase, _ operatorKey: OperatorKey) throws {
        self.database = database
        self.operatorKey = operatorKey
        identifier = try KeyStore.identifier(of: database, operatorKey)
    }

    /// Returns the identifier of a database, which is created with the first operator key.
    private static func identifier(
        of database: any SQLDatabase, _ operatorKey: OperatorKey
    ) throws -> String {
        for _ in 0..<16 {
            do {
                // Serializable: of two processes that begin at once, only one inserts the row.
                return try database.blockingTransaction(.serializable) { connection in
                    try identifier(in: connection, operatorKey)
                }
            } catch let error as SQLError where error.code == .conflict {
                continue
            }
        }
        throw SQLError(.conflict)
    }

    private static func identifier(
        in connection: any SQLConnection, _ operatorKey: OperatorKey
    ) throws -> String {
        let known = try connection.execute(
            "SELECT identifier, operator_key FROM key_database ORDER BY identifier")
        if let row = known.rows.first {
            guard try row.text(1) == operatorKey.identifier else {
                throw PeopleError.wrongOperatorKey
            }
            return try row.text(0)
        }
        let identifier = HexadecimalText.random()
        _ = try connection.execute(
            "INSERT INTO key_database (identifier, operator_key) VALUES ($1, $2)",
            [.text(identifier), .text(operatorKey.identifier)])
        return identifier
    }

    /// Whether the keys in a database are wrapped already, so that their operator key is needed.
    static func isInUse(_ database: any SQLDatabase) throws -> Bool {
        try database.blockingTransaction(.readOnly) { connection in
            try !connection.execute("SELECT 1 FROM key_database").rows.isEmpty
        }
    }

    /// Creates and stores the first key of a person.
    func create(for person: String) throws -> PersonKey {
        let key = PersonKey(version: 1)
        try insert(key, for: person)
        return key
    }

    /// Stores a key of a person.
    func insert(_ key: PersonKey, for person: String) throws {
        let wrapped = try key.wrapped(for: person, by: operatorKey)
        try database.blockingTransaction(.readWrite) { [operatorKey] connection in
            // Waits for a change of the operator key.
            let current = try connection.execute(
                "UPDATE key_database SET operator_key = $1 WHERE operator_key = $1",
                [.text(operatorKey.identifier)])
            if current.affectedRows == 0 { throw PeopleError.wrongOperatorKey }
            _ = try connection.execute(
                "INSERT INTO person_key (person, version, operator_key, wrapped) "
                    + "VALUES ($1, $2, $3, $4)",
                [
                    .text(person), .integer(key.version), .text(operatorKey.identifier),
                    .bytes(wrapped),
                ])
        }
        known.withLock { $0[person] = key }
    }

    /// Returns a person's key.
    ///
    /// - Throws: ``PeopleError/missingKey``, ``PeopleError/wrongOperatorKey``, ``SQLError``.
    func key(of person: String) throws -> PersonKey {
        if let key = known.withLock({ $0[person] }) { return key }
        let row = try database.blockingTransaction(.readOnly) { connection in
            try connection.execute(
                "SELECT version, wrapped FROM person_key WHERE person = $1 "
                    + "ORDER BY version DESC LIMIT 1", [.text(person)]
            ).rows.first
        }
        guard let row else { throw PeopleError.missingKey }
        let key = try PersonKey(
            wrapped: row.bytes(1), version: Int64(row.int(0)), of: person, by: operatorKey)
        known.withLock { known in
            if known.count >= KeyStore.maximumKept { known.removeAll() }
            known[person] = key
        }
        return key
    }

    /// Forgets the unwrapped key of a person.
    func forget(_ person: String) { known.withLock { $0[person] = nil } }

    /// Deletes a person's keys. Nothing that they seal can be read again.
    ///
    /// - Returns: The number of keys.
    func destroy(of person: String) throws -> Int {
        defer { forget(person) }
        let count = try database.blockingTransaction(.readWrite) { connection in
            try connection.execute(
                "DELETE FROM person_key WHERE person = $1", [.text(person)]
            ).affectedRows
        }
        try (database as? SQLiteDatabase)?.truncateLog()
        return count
    }

    /// The people whose unwrapped keys are kept.
    var knownPeople: [String] { known.withLock { Array($0.keys) } }

    /// Wraps all keys with another operator key. The log isn't rewritten.
    ///
    /// It is one transaction: afterwards nodes need the new key.
    ///
    /// - Returns: The number of keys.
    func rewrap(with next: OperatorKey) throws -> Int {
        try database.blockingTransaction(.readWrite) { [operatorKey] connection in
            let changed = try connection.execute(
                "UPDATE key_database SET operator_key = $1 WHERE operator_key = $2",
                [.text(next.identifier), .text(operatorKey.identifier)])
            if changed.affectedRows == 0 { throw PeopleError.wrongOperatorKey }
            let rows = try connection.execute("SELECT person, version, wrapped FROM person_key")
                .rows
            for row in rows {
                let (person, version) = (try row.text(0), Int64(try row.int(1)))
                let key = try PersonKey(
                    wrapped: row.bytes(2), version: version, of: person, by: operatorKey)
                _ = try connection.execute(
                    "UPDATE person_key SET operator_key = $1, wrapped = $2 "
                        + "WHERE person = $3 AND version = $4",
                    [
                        .text(next.identifier), .bytes(try key.wrapped(for: person, by: next)),
                        .text(person), .integer(version),
                    ])
            }
            return rows.count
        }
    }
}

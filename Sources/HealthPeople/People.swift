import Foundation
package import HealthStorage

/// The people whose data is in one database: their directory, their logs and their keys.
///
/// ```swift
/// let people = try People.open(PeopleLocation("./study"))
/// let (person, token) = try people.create(named: "Ada", at: now)
/// ```
/// A server has one or several: ``PeoplePlaces``. Calls that aren't async block their thread.
package final class People: Sendable {
    package let directory: PeopleDirectory
    let log: ChangeLog
    let keys: KeyStore
    private let databases: [any SQLDatabase]
    /// The folder of the databases; nil for PostgreSQL, and for other places than home.
    private let folder: String?

    /// - Parameters:
    ///   - keys: The keys of all places.
    ///   - owned: The databases that are closed with the people, besides that of the log.
    ///   - folder: The folder of the databases, whose free space a node watches; nil for none.
    init(
        log database: any SQLDatabase, _ dialect: SQLDialect, keys: KeyStore,
        owning owned: [any SQLDatabase] = [], folder: String? = nil
    ) throws {
        try LogSchema.requireKeys(keys.identifier, of: database)
        directory = PeopleDirectory(database: database, dialect: dialect)
        log = ChangeLog(database, dialect)
        self.keys = keys
        databases = [database] + owned
        self.folder = folder
    }

    convenience init(
        log database: any SQLDatabase, keys keyDatabase: any SQLDatabase, _ dialect: SQLDialect,
        _ operatorKey: OperatorKey, folder: String? = nil
    ) throws {
        try self.init(
            log: database, dialect, keys: KeyStore(keyDatabase, operatorKey),
            owning: [keyDatabase], folder: folder)
    }

    /// Opens the data of a server, and creates it in a new folder or an empty database.
    ///
    /// - Parameters:
    ///   - location: Where it is.
    ///   - operatorKey: The operator's key; nil for the one in the folder, or in the file of
    ///     ``PeopleLocation/defaultKeyFile``.
    ///   - settings: The limits of PostgreSQL.
    /// - Throws: ``PeopleError``, ``SQLError``.
    package static func open(
        _ location: PeopleLocation, operatorKey: OperatorKey? = nil,
        _ settings: PostgreSQLSettings = PostgreSQLSettings()
    ) throws -> People {
        let (log, dialect) = try location.openLog(settings)
        try LogSchema.migrate(log, dialect)
        let keys: any SQLDatabase
        var keyDialect = SQLDialect.postgreSQL
        if let address = location.keys {
            keys = PostgreSQLDatabase(address, settings)
        } else if let folder = location.folder {
            keys = try SQLiteDatabase(at: folder + "/keys.sqlite")
            keyDialect = .sqlite
        } else {
            keys = log
        }
        try LogSchema.migrateKeys(keys, keyDialect)
        let keyFile = location.folder.map { $0 + "/operator.key" }
        return try People(
            log: log, keys: keys, dialect,
            try operatorKey ?? key(in: keyFile ?? PeopleLocation.defaultKeyFile, for: keys),
            folder: location.folder)
    }

    /// Returns the operator key in a file, and creates one for a database without keys.
    private static func key(
        in path: String, for keys: any SQLDatabase
    ) throws -> OperatorKey {
        try OperatorKey.inFile(path, KeyStore.isInUse(keys) ? .refused : .created)
    }

    /// Closes the databases.
    package func close() { for database in databases { database.close() } }

    // MARK: - People

    /// A person without the data.
    package struct Person: Hashable, Sendable {
        /// The identifier: 32 random hexadecimal digits.
        package var person: String
        /// nil if the key is missing.
        package var name: String?
        /// In reference seconds.
        package var createdAt: Double
        package var disabledAt: Double?
        /// The number of entries in the log.
        package var entries: Int64
        /// The bytes of the log.
        package var bytes: Int64
        /// The most bytes; nil for no limit.
        package var quota: Int64?
        /// The name of the place with the data.
        package var place = PeoplePlaces.home
    }

    /// Adds a person with an empty store, and a token for reading it.
    ///
    /// - Parameters:
    ///   - name: A name for operators. It is stored sealed.
    ///   - quota: The most bytes of the person's log; nil for no limit.
    ///   - now: The current time, in reference seconds.
    ///   - prepare: Receives the identifiers of the person and the token before they are
    ///     written.
    /// - Returns: The identifier and the token. The token can't be shown again.
    /// - Throws: ``PeopleError``, ``SQLError``, `StoreError`.
    package func create(
        named name: String, quota: Int64? = nil, at now: Double,
        preparing prepare: (_ person: String, _ token: String) throws -> Void = { _, _ in }
    ) throws -> (person: String, token: AccessToken) {
        let name = try PeopleDirectory.checked(name)
        let person = HexadecimalText.random()
        let token = AccessToken(.reading)
        try prepare(person, token.identifier)
        // Before the data, so that there is no data without a key.
        let key = try keys.create(for: person)
        let sealedName = try SealedBytes.seal(
            Data(name.utf8), with: key.key, bindingTo: People.nameBinding(person))
        let folder = try PrivateFolder()
        let path = folder.path + "/copy.sqlite"
        try People.writeEmptyStore(to: path)
        let copy = try SealedCopy(ofFile: path, with: key, schema: SampleStore.schemaVersion)
        let entry = try LogEntry(
            .checkpoint, copy.manifest.json, after: .empty, of: person, with: key,
            schema: SampleStore.schemaVersion)
        try directory.transaction(.readWrite, .person(person)) { connection in
            _ = try connection.execute(
                "INSERT INTO person (person, name, created_at) VALUES ($1, $2, $3)",
                [.text(person), .bytes(sealedName), .real(now)])
            var copy = copy
            // A few chunks.
            try copy.writeChunks(of: person, at: now) { try $0(connection) }
            try ChangeLog.create(person, entry, copy, quota: quota, at: now, connection)
            try PeopleDirectory.insert(
                token, .reading, "person", person, ReadScope(), now, connection)
        }
        return (person, token)
    }

    private static func writeEmptyStore(to path: String) throws {
        let working = path + ".new"
        let store = try SampleStore(at: working, access: .creating)
        _ = try store.copyForLog(to: path)
        try store.close()
    }

    private static func nameBinding(_ person: String) -> [UInt8] {
        var binding = SealBinding()
        binding.add("name")
        binding.add(person)
        return binding.bytes
    }

    /// Returns the people who aren't erased, in the order in which they were added.
    package func list() throws -> [Person] {
        let rows = try directory.transaction(.readOnly, .everybody) { connection in
            try connection.execute(
                """
                SELECT p.person, p.name, p.created_at, p.disabled_at, h.head, h.bytes, h.quota
                FROM person p JOIN person_head h ON h.person = p.person
                WHERE p.erased_at IS NULL ORDER BY p.created_at, p.person
                """
            ).rows
        }
        return try rows.map { row in
            let person = try row.text(0)
            return Person(
                person: person, name: try? name(of: person, sealed: row.bytes(1)),
                createdAt: try row.double(2), disabledAt: try row.optionalDouble(3),
                entries: Int64(try row.int(4)), bytes: Int64(try row.int(5)),
                quota: try row.optionalInt(6).map(Int64.init))
        }
    }

    /// The people who were erased.
    func erasedPeople() throws -> Set<String> {
        try directory.transaction(.readOnly, .everybody) { connection in
            Set(
                try connection.execute(
                    "SELECT person FROM person WHERE erased_at IS NOT NULL"
                ).rows.map { try $0.text(0) })
        }
    }

    private func name(of person: String, sealed: [UInt8]) throws -> String {
        let bytes = try SealedBytes.open(
            sealed, with: keys.key(of: person).key, boundTo: People.nameBinding(person))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Disables a person: tokens and sessions have no effect until the person is enabled again.
    package func setDisabled(_ person: String, at now: Double?) throws {
        try directory.transaction(.readWrite, .person(person)) { connection in
            try ChangeLog.lock(person, connection)
            _ = try connection.execute(
                "UPDATE person SET disabled_at = $1 WHERE person = $2",
                [now.map(SQLValue.real) ?? .null, .text(person)])
            try PeopleDirectory.endSessions(of: person, connection)
        }
    }

    /// Sets the most bytes of a person's log; nil for no limit.
    package func setQuota(_ bytes: Int64?, of person: String) throws {
        try directory.transaction(.readWrite, .person(person)) { connection in
            try ChangeLog.lock(person, connection)
            _ = try connection.execute(
                "UPDATE person_head SET quota = $1 WHERE person = $2",
                [bytes.map(SQLValue.integer) ?? .null, .text(person)])
        }
    }

    /// Returns the accesses to a person's data, the newest first.
    package func accesses(to person: String, limit: Int) throws -> [AccessRecord] {
        try log.accesses(to: person, limit: limit)
    }

    /// Throws unless the databases answer.
    func checkConnection() async throws {
        if let folder, !FreeSpace.isLeft(at: folder) { throw PeopleError.fileFailed(folder) }
        for database in databases {
            _ = try await database.transaction(.readOnly) { connection in
                try connection.execute("SELECT 1").rows.count
            }
        }
    }
}

/// The identity of this process in the log.
enum ProcessIdentity {
    static let own = HexadecimalText.random()
}

extension HexadecimalText {
    /// Returns 32 random digits.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return text((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}

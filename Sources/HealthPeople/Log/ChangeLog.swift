/// The log of many people: the truth from which each person's store is built.
///
/// An entry is the effect of one transaction on a person's store, not the request that caused it,
/// because replaying requests isn't deterministic. All calls block their thread.
package final class ChangeLog: Sendable {
    let database: any SQLDatabase
    let dialect: SQLDialect

    /// - Parameters:
    ///   - database: The database with the log's tables.
    ///   - dialect: Its SQL.
    init(_ database: any SQLDatabase, _ dialect: SQLDialect) {
        self.database = database
        self.dialect = dialect
    }

    /// Runs `body` in one transaction that can see only the rows of a person.
    func transaction<Value>(
        _ mode: SQLTransactionMode, of person: String,
        _ body: @escaping (any SQLConnection) throws -> Value
    ) throws -> Value {
        try database.blockingTransaction(mode) { [dialect] connection in
            try dialect.limit(connection, to: .person(person))
            return try body(connection)
        }
    }

    // MARK: - Reading

    /// Returns the end of a person's log.
    ///
    /// - Returns: nil for an unknown or erased person, which can't be told apart.
    func head(of person: String) throws -> LogHead? {
        try transaction(.readOnly, of: person) { connection in
            try connection.execute(
                "SELECT head, hash, epoch FROM person_head WHERE person = $1 AND erased = 0",
                [.text(person)]
            ).rows.first.map { try LogHead($0, from: 0) }
        }
    }

    /// What a node compares of an open person.
    struct State: Hashable, Sendable {
        var head: LogHead
        /// Counts revoked tokens and sessions, and the times that the person was disabled.
        var revocations: Int
    }

    /// Returns the states of persons that have one: the others are unknown or erased.
    func states(of people: [String]) throws -> [String: State] {
        if people.isEmpty { return [:] }
        return try database.blockingTransaction(.readOnly) { [dialect] connection in
            try dialect.limit(connection, to: .everybody)
            let places = people.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            let rows = try connection.execute(
                "SELECT person, head, hash, epoch, revocations FROM person_head "
                    + "WHERE erased = 0 AND person IN (\(places))",
                people.map(SQLValue.text)
            ).rows
            return Dictionary(
                try rows.map { row in
                    (
                        try row.text(0),
                        State(head: try LogHead(row, from: 1), revocations: try row.int(4))
                    )
                },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// Returns the entries after a number, in order, up to a number of bytes; at least one if there
    /// is any.
    func entries(
        of person: String, after number: Int64, maximumBytes: Int = 16 << 20
    ) throws -> [LogEntry] {
        try transaction(.readOnly, of: person) { connection in
            let sizes = try connection.execute(
                "SELECT number, length(payload) FROM entry WHERE person = $1 AND number > $2 "
                    + "ORDER BY number LIMIT 1000",
                [.text(person), .integer(number)])
            var (last, bytes) = (number, 0)
            for row in sizes.rows {
                bytes += try row.int(1)
                if bytes > maximumBytes, last > number { break }
                last = Int64(try row.int(0))
            }
            return try connection.execute(
                "SELECT number, kind, schema, key_version, prev_hash, payload FROM entry "
                    + "WHERE person = $1 AND number > $2 AND number <= $3 ORDER BY number",
                [.text(person), .integer(number), .integer(last)]
            ).rows.map(LogEntry.init)
        }
    }

    /// Returns one entry; nil if it doesn't exist or was dropped.
    func entry(_ number: Int64, of person: String) throws -> LogEntry? {
        try transaction(.readOnly, of: person) { connection in
            try connection.execute(
                "SELECT number, kind, schema, key_version, prev_hash, payload FROM entry "
                    + "WHERE person = $1 AND number = $2",
                [.text(person), .integer(number)]
            ).rows.first.map(LogEntry.init)
        }
    }

    /// Returns the receipt of a request.
    func receipt(of person: String, device: String, key: String) throws -> LogReceipt? {
        try transaction(.readOnly, of: person) { connection in
            try connection.execute(
                "SELECT body_hash, cursor, number, answer FROM receipt "
                    + "WHERE person = $1 AND device = $2 AND key = $3",
                [.text(person), .text(device), .text(key)]
            ).rows.first.map { row in
                LogReceipt(
                    device: device, key: key, bodyHash: try row.bytes(0),
                    cursor: try row.optionalText(1), number: Int64(try row.int(2)),
                    answer: try row.text(3))
            }
        }
    }

    // MARK: - Writing

    /// What one append writes, in one transaction.
    struct Append {
        /// The entry; nil for a request that changed nothing.
        var entry: LogEntry?
        /// The copy of the store that belongs to a checkpoint. Its chunks are in the log already.
        var copy: SealedCopy?
        var receipt: LogReceipt?
        /// Whose request it was, for the list of accesses and of devices.
        var access: AccessRecord?
        var contact: DeviceContact?
        /// When it is written, in reference seconds.
        var writtenAt: Double
        /// Whether anchors and cursors from before remain valid.
        var epoch = PersonChange.Epoch.same
    }

    /// What became of an append.
    enum Appending: Hashable, Sendable {
        case committed(LogHead)
        /// Another node has appended since. Nothing is written.
        case headMoved
    }

    /// Begins the log of a new person with a checkpoint.
    ///
    /// - Throws: ``SQLError`` with `uniqueViolation` for a known person.
    static func create(
        _ person: String, _ entry: LogEntry, _ copy: SealedCopy, quota: Int64?, at moment: Double,
        _ connection: any SQLConnection
    ) throws {
        let head = LogHead(number: entry.number, hash: entry.hash, epoch: 0)
        let bytes = Int64(entry.payload.count) + copy.bytes
        _ = try connection.execute(
            "INSERT INTO person_head (person, head, hash, epoch, bytes, quota) "
                + "VALUES ($1, $2, $3, 0, $4, $5)",
            [
                .text(person), .integer(head.number), .bytes(head.hash), .integer(bytes),
                quota.map(SQLValue.integer) ?? .null,
            ])
        try ChangeLog.insert(entry, of: person, at: moment, connection)
        try copy.publish(of: person, head, at: moment, connection)
    }

    /// Appends to a person's log, if it still ends where the caller's store does.
    ///
    /// - Throws: ``SQLError``. With `unknownOutcome`, find out before answering.
    func append(_ append: Append, to person: String, after head: LogHead) throws -> Appending {
        try transaction(.readWrite, of: person) { connection in
            var next = head
            if let entry = append.entry { (next.number, next.hash) = (entry.number, entry.hash) }
            if append.epoch == .next { next.epoch += 1 }
            let bytes = Int64(append.entry?.payload.count ?? 0) + (append.copy?.bytes ?? 0)
            let moved = try connection.execute(
                "UPDATE person_head SET head = $1, hash = $2, epoch = $3, bytes = bytes + $4 "
                    + "WHERE person = $5 AND head = $6 AND hash = $7 AND epoch = $8 "
                    + "AND erased = 0 AND frozen = 0 AND (quota IS NULL OR bytes + $4 <= quota OR $4 = 0)",
                [
                    .integer(next.number), .bytes(next.hash), .integer(next.epoch), .integer(bytes),
                    .text(person), .integer(head.number), .bytes(head.hash), .integer(head.epoch),
                ])
            guard moved.affectedRows == 1 else {
                try ChangeLog.explainRefusal(person, after: head, connection)
                return .headMoved
            }
            if let entry = append.entry {
                try ChangeLog.insert(entry, of: person, at: append.writtenAt, connection)
            }
            try append.copy?.publish(of: person, next, at: append.writtenAt, connection)
            if let receipt = append.receipt {
                try ChangeLog.insert(receipt, of: person, at: append.writtenAt, connection)
            }
            try append.access?.insert(connection)
            try append.contact?.insert(of: person, connection)
            return .committed(next)
        }
    }

    /// Throws if the quota or a move, and not another node, is why nothing was appended.
    private static func explainRefusal(
        _ person: String, after head: LogHead, _ connection: any SQLConnection
    ) throws {
        let row = try connection.execute(
            "SELECT frozen, quota FROM person_head WHERE person = $1 AND head = $2 AND hash = $3 "
                + "AND epoch = $4 AND erased = 0",
            [.text(person), .integer(head.number), .bytes(head.hash), .integer(head.epoch)]
        ).rows.first
        guard let row else { return }
        if try row.int(0) != 0 { throw PeopleError.suspended }
        if try row.optionalInt(1) != nil { throw PeopleError.quotaExceeded }
    }

    /// Throws if a person isn't here, or is being moved.
    ///
    /// - Throws: ``PeopleError/unknownPerson``, ``PeopleError/suspended``, ``SQLError``.
    func requireServed(_ person: String) throws {
        let row = try transaction(.readOnly, of: person) { connection in
            try connection.execute(
                "SELECT frozen FROM person_head WHERE person = $1 AND erased = 0",
                [.text(person)]
            ).rows.first
        }
        guard let row else { throw PeopleError.unknownPerson }
        if try row.int(0) != 0 { throw PeopleError.suspended }
    }

    /// Locks a person against erasure and a move until the end of the transaction.
    ///
    /// - Throws: ``PeopleError/unknownPerson`` for an unknown or erased person;
    ///   ``PeopleError/suspended`` for one who is being moved.
    static func lock(_ person: String, _ connection: any SQLConnection) throws {
        let locked = try connection.execute(
            "UPDATE person_head SET erased = 0 WHERE person = $1 AND erased = 0 "
                + "RETURNING frozen", [.text(person)])
        guard let row = locked.rows.first else { throw PeopleError.unknownPerson }
        if try row.int(0) != 0 { throw PeopleError.suspended }
    }

    private static func insert(
        _ entry: LogEntry, of person: String, at moment: Double, _ connection: any SQLConnection
    ) throws {
        _ = try connection.execute(
            "INSERT INTO entry (person, number, kind, schema, key_version, prev_hash, payload, "
                + "written_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            [
                .text(person), .integer(entry.number), .text(entry.kind.rawValue),
                .text(entry.schema), .integer(entry.keyVersion), .bytes(entry.previousHash),
                .bytes(entry.payload), .real(moment),
            ])
    }

    private static func insert(
        _ receipt: LogReceipt, of person: String, at moment: Double,
        _ connection: any SQLConnection
    ) throws {
        _ = try connection.execute(
            "INSERT INTO receipt (person, device, key, body_hash, cursor, number, answer, "
                + "written_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            [
                .text(person), .text(receipt.device), .text(receipt.key),
                .bytes(receipt.bodyHash), receipt.cursor.map(SQLValue.text) ?? .null,
                .integer(receipt.number), .text(receipt.answer), .real(moment),
            ])
    }
}

extension LogHead {
    /// Reads the columns head, hash and epoch.
    init(_ row: SQLRow, from column: Int) throws(SQLError) {
        self.init(
            number: Int64(try row.int(column)), hash: try row.bytes(column + 1),
            epoch: Int64(try row.int(column + 2)))
    }
}

extension LogEntry {
    /// Reads a row of `entry`.
    init(_ row: SQLRow) throws {
        guard let kind = Kind(rawValue: try row.text(1)) else {
            throw SQLError(.unexpectedValue(column: 1))
        }
        self.init(
            number: Int64(try row.int(0)), kind: kind, schema: try row.text(2),
            keyVersion: Int64(try row.int(3)), previousHash: try row.bytes(4),
            payload: try row.bytes(5))
    }
}

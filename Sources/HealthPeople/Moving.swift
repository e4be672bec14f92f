import Foundation
import HealthEngine

/// What was moved.
package struct MoveSize: Hashable, Sendable {
    package var entries = 0
    package var bytes = 0
}

/// Copies a person from one database to another. The steps are called in the order of their
/// declarations; who calls them decides when the person is at the target.
///
/// The heads at both databases have the number of the move while they are frozen. A step of a move
/// with a lower number than the head's is refused, so a process that was slow or taken for dead
/// can't disturb a later move.
struct PersonMove {
    let person: String
    let source: People
    let target: People
    /// The number in the column `frozen`: at least 2.
    let number: Int64

    /// - Parameter number: The number of the move, which is higher than those of earlier ones.
    init(_ person: String, from source: People, to target: People, number: Int64) {
        (self.person, self.source, self.target) = (person, source, target)
        // An earlier version has 1 for every move.
        self.number = number + 1
    }

    /// The tables that move, with their columns. Sessions stay: browsers log in again.
    private static let tables: [(table: String, columns: [String], order: String)] = [
        (
            "entry",
            [
                "number", "kind", "schema", "key_version", "prev_hash", "payload", "written_at",
            ], "number"
        ),
        (
            "receipt",
            ["device", "key", "body_hash", "cursor", "number", "answer", "written_at"],
            "device, key"
        ),
        (
            "snapshot",
            [
                "number", "hash", "key_version", "schema", "copy", "manifest", "bytes",
                "written_at", "written_by", "verified_at",
            ], "number"
        ),
        ("snapshot_chunk", ["copy", "\"index\"", "payload", "written_at"], "copy, \"index\""),
        (
            "contact",
            [
                "device", "dialect", "requests", "contacted_at", "status", "problem",
                "last_sample_end",
            ], "device, dialect"
        ),
    ]
    private static let accessColumns = [
        "at", "actor", "action", "subject", "days", "origin", "result",
    ]
    private static let tokenColumns =
        "identifier, person, kind, name, folded, digest, scope, created_at, used_at, revoked_at"

    // MARK: - Steps

    /// Lets no change into the log at the source.
    ///
    /// - Returns: The end of the log.
    /// - Throws: ``PeopleError/unknownPerson``, ``PeopleError/otherMove``, ``SQLError``.
    func freeze() throws -> LogHead {
        try source.log.transaction(.readWrite, of: person) { [source, person, number] connection in
            let known = try connection.execute(
                "SELECT head, hash, epoch FROM person_head WHERE person = $1 AND erased = 0"
                    + source.log.dialect.exclusiveLock, [.text(person)])
            guard let row = known.rows.first else { throw PeopleError.unknownPerson }
            let frozen = try connection.execute(
                "UPDATE person_head SET frozen = $1 WHERE person = $2 AND frozen < $1",
                [.integer(number), .text(person)])
            if frozen.affectedRows == 0 { throw PeopleError.otherMove }
            return try LogHead(row, from: 0)
        }
    }

    /// Copies the rows to the target, where nobody sees them yet, and compares the hashes of all
    /// entries. What an interrupted move has left there is removed first.
    ///
    /// - Throws: ``PeopleError/damagedLog`` if the copied log isn't the same;
    ///   ``PeopleError/otherMove``, ``SQLError``.
    func copy(upTo head: LogHead) throws -> MoveSize {
        try beginCopy()
        var size = MoveSize()
        for (table, columns, order) in PersonMove.tables {
            try copy(table, columns, order, &size)
        }
        try copyAccesses()
        try requireChain(to: head)
        return size
    }

    /// Adds the person, the tokens and the head at the target, still frozen.
    ///
    /// - Returns: The identifiers of the tokens.
    /// - Throws: ``PeopleError/otherMove``, ``SQLError``.
    func finishCopy(upTo head: LogHead) throws -> [String] {
        let (facts, totals, tokens) = try readFacts()
        try target.log.transaction(.readWrite, of: person) { [person] connection in
            try requireFrozenTarget(connection)
            _ = try connection.execute(
                "INSERT INTO person (person, name, created_at, disabled_at) "
                    + "VALUES ($1, $2, $3, $4)", [.text(person)] + facts.values)
            for token in tokens {
                _ = try connection.execute(
                    "INSERT INTO person_token (\(PersonMove.tokenColumns)) "
                        + "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", token.values)
            }
            _ = try connection.execute(
                "UPDATE person_head SET head = $2, hash = $3, epoch = $4, erased = 0, bytes = $5, "
                    + "quota = $6, revocations = $7 WHERE person = $1",
                [
                    .text(person), .integer(head.number), .bytes(head.hash), .integer(head.epoch),
                ] + totals.values)
        }
        return try tokens.map { try $0.text(0) }
    }

    /// Accepts changes at the target.
    ///
    /// - Returns: Whether it was frozen.
    @discardableResult
    func thawTarget() throws -> Bool { try thaw(target) }

    /// Removes the person's rows at the source, except the lines of the log of accesses, which
    /// can't be deleted. Nothing happens if another move has frozen them.
    func removeSource() throws { try removeFrozenRows(of: source) }

    /// Removes what was copied to the target, unless it is the person's or another move's.
    func discardCopy() throws { try removeFrozenRows(of: target) }

    private func removeFrozenRows(of people: People) throws {
        try people.log.transaction(.readWrite, of: person) { [person, number] connection in
            // Those of an interrupted move have its number.
            let head = try connection.execute(
                "DELETE FROM person_head WHERE person = $1 AND frozen <> 0 AND frozen <= $2",
                [.text(person), .integer(number)])
            if head.affectedRows == 1 { try deleteRows(connection) }
        }
    }

    /// Accepts changes at the source again.
    ///
    /// - Returns: Whether it was frozen.
    @discardableResult
    func thawSource() throws -> Bool { try thaw(source) }

    private func thaw(_ people: People) throws -> Bool {
        try people.log.transaction(.readWrite, of: person) { [person, number] connection in
            try connection.execute(
                "UPDATE person_head SET frozen = 0 WHERE person = $1 AND erased = 0 "
                    + "AND frozen <> 0 AND frozen <= $2", [.text(person), .integer(number)]
            ).affectedRows == 1
        }
    }

    // MARK: - Copying

    /// Adds a head at the target that looks like that of an erased person.
    private func beginCopy() throws {
        try target.log.transaction(.readWrite, of: person) { [person, number] connection in
            let begun = try connection.execute(
                "INSERT INTO person_head (person, head, hash, epoch, erased, frozen) "
                    + "VALUES ($1, 0, $2, 0, 1, $3) ON CONFLICT (person) DO UPDATE SET "
                    + "erased = 1, frozen = $3 WHERE person_head.frozen < $3",
                [
                    .text(person), .bytes([UInt8](repeating: 0, count: 32)), .integer(number),
                ])
            if begun.affectedRows == 0 { throw PeopleError.otherMove }
            try deleteRows(connection)
        }
    }

    private func deleteRows(_ connection: any SQLConnection) throws {
        for table in PersonMove.tables.map(\.table) + ["session", "person_token", "person"] {
            _ = try connection.execute(
                "DELETE FROM \(table) WHERE person = $1", [.text(person)])
        }
    }

    /// Throws if another move has frozen the person at the target, and keeps others from it until
    /// the end of the transaction.
    private func requireFrozenTarget(_ connection: any SQLConnection) throws {
        let own = try connection.execute(
            "UPDATE person_head SET erased = 1 WHERE person = $1 AND frozen = $2",
            [.text(person), .integer(number)])
        if own.affectedRows == 0 { throw PeopleError.otherMove }
    }

    private func copy(
        _ table: String, _ columns: [String], _ order: String, _ size: inout MoveSize
    ) throws {
        var offset = 0
        while case let rows = try rows(table, columns, order, offset, limit: 16), !rows.isEmpty {
            try insert(rows, columns, into: table)
            offset += rows.count
            if table == "entry" { size.entries += rows.count }
            for row in rows {
                for case .bytes(let bytes) in row.values { size.bytes += bytes.count }
            }
        }
    }

    private func rows(
        _ table: String, _ columns: [String], _ order: String, _ offset: Int, limit: Int
    ) throws -> [SQLRow] {
        try source.log.transaction(.readOnly, of: person) { [person] connection in
            try connection.execute(
                "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE person = $1 "
                    + "ORDER BY \(order) LIMIT \(limit) OFFSET \(offset)", [.text(person)]
            ).rows
        }
    }

    private func insert(_ rows: [SQLRow], _ columns: [String], into table: String) throws {
        let parameters = (1...columns.count + 1).map { "$\($0)" }.joined(separator: ", ")
        let names = columns.joined(separator: ", ")
        try target.log.transaction(.readWrite, of: person) { [person] connection in
            try requireFrozenTarget(connection)
            for row in rows {
                _ = try connection.execute(
                    "INSERT INTO \(table) (person, \(names)) VALUES (\(parameters))",
                    [.text(person)] + row.values)
            }
        }
    }

    /// Copies the lines of the log of accesses that the target doesn't have. It has some if the
    /// person was there before, or after an interrupted move.
    private func copyAccesses() throws {
        var known: [Int: Int] = [:]
        try forEachAccess(of: target) { rows in
            for row in rows { known[row.hashValue, default: 0] += 1 }
        }
        try forEachAccess(of: source) { rows in
            let missing = rows.filter { row in
                guard let count = known[row.hashValue], count > 0 else { return true }
                known[row.hashValue] = count - 1
                return false
            }
            if !missing.isEmpty {
                try insert(missing, PersonMove.accessColumns, into: "access")
            }
        }
    }

    private func forEachAccess(of people: People, _ body: ([SQLRow]) throws -> Void) throws {
        var last = 0
        while case let rows = try accesses(after: last, of: people), let end = rows.last {
            last = try end.int(0)
            try body(rows.map { SQLRow(Array($0.values.dropFirst())) })
        }
    }

    private func accesses(after id: Int, of people: People) throws -> [SQLRow] {
        let columns = PersonMove.accessColumns.joined(separator: ", ")
        return try people.log.transaction(.readOnly, of: person) { [person] connection in
            try connection.execute(
                "SELECT id, \(columns) FROM access WHERE person = $1 AND id > $2 "
                    + "ORDER BY id LIMIT 500", [.text(person), .integer(Int64(id))]
            ).rows
        }
    }

    /// Throws unless the entries at the target form one chain that ends at a head, and each table
    /// has as many rows as at the source.
    private func requireChain(to head: LogHead) throws {
        var last: (number: Int64, hash: [UInt8])?
        var next: Int64 = 0
        while case let entries = try target.log.entries(of: person, after: next), !entries.isEmpty {
            for entry in entries {
                if let last, entry.number != last.number + 1 || entry.previousHash != last.hash {
                    throw PeopleError.damagedLog
                }
                last = (entry.number, entry.hash)
                next = entry.number
            }
        }
        guard let last, last.number == head.number, last.hash == head.hash,
            try counts(of: source) == counts(of: target)
        else { throw PeopleError.damagedLog }
    }

    private func counts(of people: People) throws -> [Int] {
        try people.log.transaction(.readOnly, of: person) { [person] connection in
            try PersonMove.tables.map { table, _, _ in
                try connection.execute(
                    "SELECT count(*) FROM \(table) WHERE person = $1", [.text(person)]
                ).rows[0].int(0)
            }
        }
    }

    private func readFacts() throws -> (facts: SQLRow, totals: SQLRow, tokens: [SQLRow]) {
        try source.log.transaction(.readOnly, of: person) { [person, number] connection in
            let facts = try connection.execute(
                "SELECT name, created_at, disabled_at FROM person WHERE person = $1",
                [.text(person)])
            let totals = try connection.execute(
                // Nodes end open pages: sessions don't move.
                "SELECT bytes, quota, revocations + 1 FROM person_head "
                    + "WHERE person = $1 AND frozen = $2 AND erased = 0",
                [.text(person), .integer(number)])
            let tokens = try connection.execute(
                "SELECT \(PersonMove.tokenColumns) FROM person_token WHERE person = $1",
                [.text(person)])
            guard let facts = facts.rows.first, let totals = totals.rows.first else {
                throw PeopleError.otherMove
            }
            return (facts, totals, tokens.rows)
        }
    }
}

extension People {
    /// Moves a person to people who have no place in common with these, with the log, the key, the
    /// receipts and the tokens. At the end, the person is served there and erased here.
    ///
    /// An interrupted move is repeated from its beginning; until the end, the data here is the
    /// person's.
    ///
    /// - Throws: ``PeopleError/sharedPlaces`` if the places share the database of keys, or if the
    ///   person is or was at the other place; ``PeopleError/damagedLog`` if the copied log isn't
    ///   the same; ``PeopleError/unknownPerson``, ``SQLError``.
    func moveOut(_ move: PersonMove, at now: Double) throws -> MoveSize {
        let (person, other) = (move.person, move.target)
        guard keys.identifier != other.keys.identifier, try !other.hasRow(of: person) else {
            throw PeopleError.sharedPlaces
        }
        let key = try keys.key(of: person)
        let size: MoveSize
        do {
            let head = try move.freeze()
            _ = try other.keys.destroy(of: person)
            try other.keys.insert(key, for: person)
            size = try move.copy(upTo: head)
            _ = try move.finishCopy(upTo: head)
            _ = try eraseLog(of: person, frozenAs: move.number, at: now)
        } catch {
            // Only as long as it isn't erased here, also by a commit whose answer was lost.
            if (try? move.thawSource()) == true {
                try? move.discardCopy()
                _ = try? other.keys.destroy(of: person)
            }
            throw error
        }
        try endMoveOut(move)
        return size
    }

    /// Enables a person at the other place who is erased here.
    ///
    /// - Returns: False if there is no such person.
    @discardableResult
    func endMoveOut(_ move: PersonMove) throws -> Bool {
        guard try log.head(of: move.person) == nil, try move.thawTarget() else { return false }
        _ = try keys.destroy(of: move.person)
        try (log.database as? SQLiteDatabase)?.truncateLog()
        return true
    }

    /// Whether the person is or was here. A copy of an interrupted move doesn't count.
    private func hasRow(of person: String) throws -> Bool {
        try log.transaction(.readOnly, of: person) { connection in
            try !connection.execute(
                "SELECT 1 FROM person p LEFT JOIN person_head h ON h.person = p.person "
                    + "WHERE p.person = $1 AND coalesce(h.frozen, 0) = 0", [.text(person)]
            ).rows.isEmpty
        }
    }
}

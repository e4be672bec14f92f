import Foundation

extension People {
    /// What was moved.
    package struct Move: Hashable, Sendable {
        package var entries: Int
        package var bytes: Int
    }

    /// The tables that move, with their columns. Sessions stay: browsers log in again.
    private static let movedTables: [(table: String, columns: [String], order: String)] = [
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
        (
            "access",
            ["at", "actor", "action", "subject", "days", "origin", "result"], "id"
        ),
    ]

    /// Moves a person to the people at another place, with the log, the receipts and the tokens.
    ///
    /// The log is frozen first. At the end, the hashes of all entries are compared, then the person
    /// is served there and erased here. An interrupted move is repeated from its beginning; until
    /// the end, the data here is the person's.
    ///
    /// - Throws: ``PeopleError/sharedPlaces`` if the places share the database of keys, or if the
    ///   person was at the other place before; ``PeopleError/damagedLog`` if the copied log isn't the
    ///   same; ``PeopleError/unknownPerson``, ``SQLError``.
    package func move(_ person: String, to other: People, at now: Double) throws -> Move {
        guard keys.identifier != other.keys.identifier, try !other.hasRow(of: person) else {
            throw PeopleError.sharedPlaces
        }
        let key = try keys.key(of: person)
        let head = try freeze(person)
        do {
            try other.discardMove(of: person)
            try other.keys.insert(key, for: person)
            var move = Move(entries: 0, bytes: 0)
            for (table, columns, order) in People.movedTables {
                try copy(table, columns, order, of: person, to: other, &move)
            }
            try other.requireChain(of: person, to: head)
            try finish(person, head, to: other)
            _ = try erase(person, at: now)
            return move
        } catch {
            // Until the other place has the person, this one serves the person again.
            if (try? other.hasRow(of: person)) == false {
                try? other.discardMove(of: person)
                try? thaw(person)
            }
            throw error
        }
    }

    /// Lets no change into the log of a person, and returns its end.
    private func freeze(_ person: String) throws -> LogHead {
        try log.transaction(.readWrite, of: person) { connection in
            try ChangeLog.lock(person, connection)
            _ = try connection.execute(
                "UPDATE person_head SET frozen = 1 WHERE person = $1", [.text(person)])
            return try LogHead(
                connection.execute(
                    "SELECT head, hash, epoch FROM person_head WHERE person = $1", [.text(person)]
                ).rows[0], from: 0)
        }
    }

    private func thaw(_ person: String) throws {
        try log.transaction(.readWrite, of: person) { connection in
            _ = try connection.execute(
                "UPDATE person_head SET frozen = 0 WHERE person = $1", [.text(person)])
        }
    }

    /// Whether the person is or was here.
    private func hasRow(of person: String) throws -> Bool {
        try log.transaction(.readOnly, of: person) { connection in
            try !connection.execute(
                "SELECT 1 FROM person WHERE person = $1", [.text(person)]
            ).rows.isEmpty
        }
    }

    /// Removes what an interrupted move has left. Lines of the log of accesses can't be deleted, so
    /// a repeated move adds them again.
    private func discardMove(of person: String) throws {
        _ = try keys.destroy(of: person)
        try log.transaction(.readWrite, of: person) { connection in
            for (table, _, _) in People.movedTables where table != "access" {
                _ = try connection.execute(
                    "DELETE FROM \(table) WHERE person = $1", [.text(person)])
            }
        }
    }

    private func copy(
        _ table: String, _ columns: [String], _ order: String, of person: String,
        to other: People, _ move: inout Move
    ) throws {
        let names = columns.joined(separator: ", ")
        let places = (1...columns.count + 1).map { "$\($0)" }.joined(separator: ", ")
        var offset = 0
        while true {
            let rows = try log.transaction(.readOnly, of: person) { connection in
                try connection.execute(
                    "SELECT \(names) FROM \(table) WHERE person = $1 ORDER BY \(order) "
                        + "LIMIT 16 OFFSET \(offset)", [.text(person)]
                ).rows
            }
            if rows.isEmpty { return }
            try other.log.transaction(.readWrite, of: person) { connection in
                for row in rows {
                    _ = try connection.execute(
                        "INSERT INTO \(table) (person, \(names)) VALUES (\(places))",
                        [.text(person)] + row.values)
                }
            }
            offset += rows.count
            if table == "entry" { move.entries += rows.count }
            for row in rows {
                for case .bytes(let bytes) in row.values { move.bytes += bytes.count }
            }
        }
    }

    /// Throws unless the entries form one chain that ends at a head.
    private func requireChain(of person: String, to head: LogHead) throws {
        var last: (number: Int64, hash: [UInt8])?
        var next: Int64 = 0
        while case let entries = try log.entries(of: person, after: next), !entries.isEmpty {
            for entry in entries {
                if let last, entry.number != last.number + 1 || entry.previousHash != last.hash {
                    throw PeopleError.damagedLog
                }
                last = (entry.number, entry.hash)
                next = entry.number
            }
        }
        guard let last, last.number == head.number, last.hash == head.hash else {
            throw PeopleError.damagedLog
        }
    }

    /// Makes the copied data the person's: adds the person, the tokens and the head there.
    private func finish(_ person: String, _ head: LogHead, to other: People) throws {
        let (facts, totals, tokens) = try log.transaction(.readOnly, of: person) { connection in
            let facts = try connection.execute(
                "SELECT name, created_at FROM person WHERE person = $1", [.text(person)])
            let totals = try connection.execute(
                "SELECT bytes, quota FROM person_head WHERE person = $1", [.text(person)])
            let tokens = try connection.execute(
                "SELECT identifier, person, kind, name, folded, digest, scope, created_at, "
                    + "used_at, revoked_at FROM person_token WHERE person = $1", [.text(person)])
            return (facts.rows, totals.rows, tokens.rows)
        }
        guard let facts = facts.first, let totals = totals.first else {
            throw PeopleError.unknownPerson
        }
        try other.log.transaction(.readWrite, of: person) { connection in
            _ = try connection.execute(
                "INSERT INTO person (person, name, created_at) VALUES ($1, $2, $3)",
                [.text(person)] + facts.values)
            for token in tokens {
                _ = try connection.execute(
                    "INSERT INTO person_token (identifier, person, kind, name, folded, digest, "
                        + "scope, created_at, used_at, revoked_at) "
                        + "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", token.values)
            }
            _ = try connection.execute(
                "INSERT INTO person_head (person, head, hash, epoch, bytes, quota) "
                    + "VALUES ($1, $2, $3, $4, $5, $6)",
                [
                    .text(person), .integer(head.number), .bytes(head.hash), .integer(head.epoch),
                ] + totals.values)
        }
    }
}

import Foundation

/// A database that has the data of some people of a server.
package struct PeoplePlace: Hashable, Sendable {
    package var name: String
    /// The random identifier of the database.
    var identifier: String
    /// The address, without a password. Empty for the home database.
    package var address: String
    /// In reference seconds; nil for the home database.
    package var addedAt: Double?
    /// The number of people who are placed there, also of erased ones.
    package var people = 0
}

/// Which place has each person. The tables are in the home database.
///
/// A person without a row is at home. All calls block their thread.
struct PlaceDirectory: Sendable {
    let database: any SQLDatabase
    let dialect: SQLDialect

    private func transaction<Value>(
        _ mode: SQLTransactionMode, _ body: @escaping (any SQLConnection) throws -> Value
    ) throws -> Value {
        try database.blockingTransaction(mode) { [dialect] connection in
            try dialect.limit(connection, to: .everybody)
            return try body(connection)
        }
    }

    // MARK: - Places

    /// Returns the places but home, in the order of their names.
    func places() throws -> [PeoplePlace] {
        try transaction(.readOnly) { connection in
            try connection.execute(
                """
                SELECT l.name, l.identifier, l.address, l.added_at,
                    (SELECT count(*) FROM placement p WHERE p.place = l.name)
                FROM place l ORDER BY l.name
                """
            ).rows.map { row in
                PeoplePlace(
                    name: try row.text(0), identifier: try row.text(1), address: try row.text(2),
                    addedAt: try row.double(3), people: try row.int(4))
            }
        }
    }

    /// Returns a place, without the number of people.
    ///
    /// - Throws: ``PeopleError/unknownPlace(_:)``, ``SQLError``.
    func place(named name: String) throws -> PeoplePlace {
        try transaction(.readOnly) { connection in
            let known = try connection.execute(
                "SELECT identifier, address, added_at FROM place WHERE name = $1", [.text(name)])
            guard let row = known.rows.first else { throw PeopleError.unknownPlace(name) }
            return PeoplePlace(
                name: name, identifier: try row.text(0), address: try row.text(1),
                addedAt: try row.double(2))
        }
    }

    /// Adds a place. A place with the same name and database gets the address.
    ///
    /// - Throws: ``PeopleError/placeInUse`` if the database has another name, or the name another
    ///   database; ``SQLError``.
    func add(_ place: PeoplePlace, at now: Double) throws {
        try transaction(.readWrite) { connection in
            let known = try connection.execute(
                "SELECT name, identifier FROM place WHERE name = $1 OR identifier = $2",
                [.text(place.name), .text(place.identifier)])
            for row in known.rows {
                guard try row.text(0) == place.name, try row.text(1) == place.identifier else {
                    throw PeopleError.placeInUse
                }
            }
            _ = try connection.execute(
                "INSERT INTO place (name, identifier, address, added_at) VALUES ($1, $2, $3, $4) "
                    + "ON CONFLICT (name) DO UPDATE SET address = excluded.address",
                [.text(place.name), .text(place.identifier), .text(place.address), .real(now)])
        }
    }

    /// How long a creation can take. A placement of nobody that is older was left by a crash.
    private static let longestCreation = 86_400.0

    /// Removes a place that nobody is at.
    ///
    /// - Parameter erased: The people there who were erased.
    /// - Throws: ``PeopleError/unknownPlace(_:)``, ``PeopleError/placeNotEmpty(_:)``, ``SQLError``.
    func remove(_ name: String, erased: Set<String>, at now: Double) throws {
        try transaction(.readWrite) { connection in
            let removed = try connection.execute(
                "DELETE FROM place WHERE name = $1", [.text(name)])
            if removed.affectedRows == 0 { throw PeopleError.unknownPlace(name) }
            let moves = try connection.execute(
                "SELECT 1 FROM pending_move WHERE source = $1 OR target = $1", [.text(name)])
            let placed = try connection.execute(
                "SELECT person, placed_at FROM placement WHERE place = $1", [.text(name)])
            let isLeft = try placed.rows.contains { row in
                try !erased.contains(row.text(0))
                    && row.double(1) > now - PlaceDirectory.longestCreation
            }
            if isLeft || !moves.rows.isEmpty { throw PeopleError.placeNotEmpty(name) }
            _ = try connection.execute(
                "DELETE FROM token_placement WHERE person IN "
                    + "(SELECT person FROM placement WHERE place = $1)", [.text(name)])
            _ = try connection.execute("DELETE FROM placement WHERE place = $1", [.text(name)])
        }
    }

    // MARK: - People

    /// Returns the places of people. Those without one are at home, or unknown.
    func placements(of people: [String]) throws -> [String: String] {
        if people.isEmpty { return [:] }
        let numbers = people.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return try transaction(.readOnly) { connection in
            try PlaceDirectory.placements(
                connection.execute(
                    "SELECT person, place FROM placement WHERE person IN (\(numbers))",
                    people.map(SQLValue.text)))
        }
    }

    /// Returns the places of all people who aren't at home.
    func placements() throws -> [String: String] {
        try transaction(.readOnly) { connection in
            try PlaceDirectory.placements(
                connection.execute("SELECT person, place FROM placement"))
        }
    }

    private static func placements(_ result: SQLResult) throws -> [String: String] {
        Dictionary(
            try result.rows.map { (try $0.text(0), try $0.text(1)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the place of a token's person; nil for home, and for an unknown token.
    func place(ofToken identifier: String) throws -> String? {
        try transaction(.readOnly) { connection in
            try connection.execute(
                "SELECT l.place FROM token_placement o JOIN placement l ON l.person = o.person "
                    + "WHERE o.identifier = $1", [.text(identifier)]
            ).rows.first.map { try $0.text(0) }
        }
    }

    /// Returns the place with the fewest people; home if others have as many.
    func emptiest() throws -> String {
        let atHome = try peopleAtHome()
        let emptiest = try places().min { ($0.people, $0.name) < ($1.people, $1.name) }
        guard let emptiest, emptiest.people < atHome else { return PeoplePlaces.home }
        return emptiest.name
    }

    /// Returns the number of people at home who aren't erased.
    func peopleAtHome() throws -> Int {
        try transaction(.readOnly) { connection in
            try connection.execute(
                "SELECT count(*) FROM person p WHERE p.erased_at IS NULL "
                    + "AND NOT EXISTS (SELECT 1 FROM placement l WHERE l.person = p.person)"
            ).rows[0].int(0)
        }
    }

    /// Removes the tokens of an erased person.
    func forgetTokens(of person: String) throws {
        try transaction(.readWrite) { connection in
            _ = try connection.execute(
                "DELETE FROM token_placement WHERE person = $1", [.text(person)])
        }
    }

    /// Places a person who will be created.
    ///
    /// - Throws: ``PeopleError/unknownPlace(_:)``, ``SQLError``.
    func place(_ person: String, _ token: String, at place: String, at now: Double) throws {
        try transaction(.readWrite) { connection in
            try PlaceDirectory.place(person, at: place, at: now, connection)
            try PlaceDirectory.register(token, of: person, connection)
        }
    }

    /// Registers a token that will be added to a person who isn't at home.
    func register(_ token: String, of person: String) throws {
        try transaction(.readWrite) { try PlaceDirectory.register(token, of: person, $0) }
    }

    static func place(
        _ person: String, at place: String, at now: Double, _ connection: any SQLConnection
    ) throws {
        // Locked, so that it isn't removed meanwhile.
        let known = try connection.execute(
            "UPDATE place SET name = name WHERE name = $1", [.text(place)])
        if known.affectedRows == 0 { throw PeopleError.unknownPlace(place) }
        _ = try connection.execute(
            "INSERT INTO placement (person, place, placed_at) VALUES ($1, $2, $3) "
                + "ON CONFLICT (person) DO UPDATE SET place = excluded.place, "
                + "placed_at = excluded.placed_at",
            [.text(person), .text(place), .real(now)])
    }

    static func register(
        _ token: String, of person: String, _ connection: any SQLConnection
    ) throws {
        _ = try connection.execute(
            "INSERT INTO token_placement (identifier, person) VALUES ($1, $2) "
                + "ON CONFLICT (identifier) DO UPDATE SET person = excluded.person",
            [.text(token), .text(person)])
    }
}

// MARK: - Moves

/// A move that isn't finished.
struct PendingMove: Hashable, Sendable {
    /// Counts moves. Heads that a move has frozen have it, so a later move isn't disturbed.
    var number: Int64
    var person: String
    /// The name of the place where the person was.
    var source: String
    /// The name of the other place; empty for a database that is no place.
    var target: String
    /// Whether the person is at the target.
    var isSwitched: Bool
}

extension PlaceDirectory {
    /// Takes over the unfinished move of a person: what its process does afterwards is refused.
    ///
    /// - Returns: The move with a number of its own; nil for none.
    func takeOver(of person: String) throws -> PendingMove? {
        try transaction(.readWrite) { connection in
            let taken = try connection.execute(
                "DELETE FROM pending_move WHERE person = $1 RETURNING source, target, switched",
                [.text(person)])
            guard let row = taken.rows.first else { return nil }
            return try PlaceDirectory.insert(
                person, row.text(0), row.text(1), row.int(2), connection)
        }
    }

    /// Begins a move of a person from the place where the person is, which can be the target.
    ///
    /// - Throws: ``PeopleError/otherMove``, ``SQLError``.
    func begin(_ person: String, to target: String) throws -> PendingMove {
        do {
            return try transaction(.readWrite) { connection in
                // First, so that no other move can end after the place was read.
                var move = try PlaceDirectory.insert(person, "", target, 0, connection)
                let placed = try connection.execute(
                    "SELECT place FROM placement WHERE person = $1", [.text(person)])
                move.source = try placed.rows.first?.text(0) ?? PeoplePlaces.home
                _ = try connection.execute(
                    "UPDATE pending_move SET source = $1 WHERE number = $2",
                    [.text(move.source), .integer(move.number)])
                return move
            }
        } catch let error as SQLError {
            if case .uniqueViolation = error.code { throw PeopleError.otherMove }
            throw error
        }
    }

    private static func insert(
        _ person: String, _ source: String, _ target: String, _ switched: Int,
        _ connection: any SQLConnection
    ) throws -> PendingMove {
        let row = try connection.execute(
            "INSERT INTO pending_move (person, source, target, switched) VALUES ($1, $2, $3, $4) "
                + "RETURNING number",
            [.text(person), .text(source), .text(target), .integer(Int64(switched))]
        ).rows[0]
        return PendingMove(
            number: Int64(try row.int(0)), person: person, source: source, target: target,
            isSwitched: switched != 0)
    }

    /// Places the person at the target of a move: from now on, requests go there.
    ///
    /// - Throws: ``PeopleError/otherMove``, ``PeopleError/unknownPlace(_:)``, ``SQLError``.
    func finish(_ move: PendingMove, tokens: [String], at now: Double) throws {
        try transaction(.readWrite) { connection in
            let switched = try connection.execute(
                "UPDATE pending_move SET switched = 1 WHERE number = $1 AND switched = 0",
                [.integer(move.number)])
            if switched.affectedRows == 0 { throw PeopleError.otherMove }
            _ = try connection.execute(
                "DELETE FROM token_placement WHERE person = $1", [.text(move.person)])
            guard move.target != PeoplePlaces.home else {
                _ = try connection.execute(
                    "DELETE FROM placement WHERE person = $1", [.text(move.person)])
                return
            }
            try PlaceDirectory.place(move.person, at: move.target, at: now, connection)
            for token in tokens {
                try PlaceDirectory.register(token, of: move.person, connection)
            }
        }
    }

    /// Makes sure that a move isn't finished any more, also by an attempt whose answer was lost.
    ///
    /// - Returns: The move with another number; nil if it was finished, or another one has begun.
    func abandon(_ move: PendingMove) throws -> PendingMove? {
        try transaction(.readWrite) { connection in
            // Waits for a commit that is under way.
            let taken = try connection.execute(
                "DELETE FROM pending_move WHERE number = $1 AND switched = 0",
                [.integer(move.number)])
            if taken.affectedRows == 0 { return nil }
            return try PlaceDirectory.insert(
                move.person, move.source, move.target, 0, connection)
        }
    }

    /// Ends a move of which nothing is left to do.
    func end(_ move: PendingMove) throws {
        try transaction(.readWrite) { connection in
            _ = try connection.execute(
                "DELETE FROM pending_move WHERE number = $1", [.integer(move.number)])
        }
    }
}

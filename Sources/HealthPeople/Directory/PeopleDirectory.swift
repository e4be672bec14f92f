import Foundation
import HealthEngine
package import HealthStorage

/// The people of a server, their tokens and the sessions of their browsers.
///
/// Of each secret it has only the SHA-256. Calls that aren't async block their thread.
package struct PeopleDirectory: Sendable {
    let database: any SQLDatabase
    let dialect: SQLDialect

    func transaction<Value>(
        _ mode: SQLTransactionMode, _ scope: RowScope,
        _ body: @escaping (any SQLConnection) throws -> Value
    ) throws -> Value {
        try database.blockingTransaction(mode) { [dialect] connection in
            try dialect.limit(connection, to: scope)
            return try body(connection)
        }
    }

    // MARK: - Checking

    /// Looks a token up, in one query.
    func answer(
        toToken token: AccessToken, _ kind: PersonToken.Kind
    ) async throws -> TokenAnswer {
        let row = try await database.transaction(.readOnly) { [dialect] connection in
            try dialect.limit(connection, to: .everybody)
            return try connection.execute(
                PeopleDirectory.bearers(of: "CAST($1 AS text)"), [.text(token.identifier)]
            ).rows[0]
        }
        return try PeopleDirectory.answer(row) { found, digest in
            found.kind == kind && token.matches(digest)
        }
    }

    /// Looks the token up that has opened a session, in one query.
    ///
    /// - Parameters:
    ///   - key: The session's key, from the cookie.
    ///   - now: The current time, in reference seconds.
    func answer(toSession key: SessionKey, at now: Double) async throws -> TokenAnswer {
        let digest = PeopleDirectory.digest(of: key.text)
        let row = try await database.transaction(.readOnly) { [dialect] connection in
            try dialect.limit(connection, to: .everybody)
            return try connection.execute(
                PeopleDirectory.bearers(
                    // Keys of earlier versions don't name the token.
                    of: "coalesce($1, (SELECT token FROM session WHERE digest = $2))",
                    having: "EXISTS (SELECT 1 FROM session s WHERE s.token = t.identifier "
                        + "AND s.digest = $2 AND s.expires_at > $3)"),
                [key.token.map(SQLValue.text) ?? .null, .bytes(digest), .real(now)]
            ).rows[0]
        }
        let hasSession = try row.bool(PeopleDirectory.bearerColumns)
        // Pages show everything.
        return try PeopleDirectory.answer(row) { found, _ in
            hasSession && found.scope == ReadScope()
        }
    }

    /// Returns a query for a token by its identifier. It has one row, with the place of the token's
    /// person first.
    private static func bearers(of identifier: String, having condition: String = "1 = 1") -> String
    {
        """
        SELECT l.place, t.digest, t.identifier, t.person, t.kind, t.name, t.scope, t.created_at,
            t.revoked_at, p.disabled_at, p.erased_at, h.head, h.hash, h.epoch, h.erased, h.frozen,
            \(condition)
        FROM (SELECT \(identifier) AS identifier) asked
        LEFT JOIN token_placement o ON o.identifier = asked.identifier
        LEFT JOIN placement l ON l.person = o.person
        LEFT JOIN person_token t ON t.identifier = asked.identifier
        LEFT JOIN person p ON p.person = t.person
        LEFT JOIN person_head h ON h.person = t.person
        """
    }
    private static let bearerColumns = 16

    private static func answer(
        _ row: SQLRow, isValid: (_ token: PersonToken, _ digest: [UInt8]) -> Bool
    ) throws -> TokenAnswer {
        if let place = try row.optionalText(0) { return .elsewhere(place) }
        guard let digest = try row.optionalBytes(1) else { return .unknown }
        let token = try token(row, from: 2)
        guard token.revokedAt == nil, isValid(token, digest) else { return .refused }
        if token.kind == .operator { return .bearer(TokenBearer(token: token, head: nil)) }
        guard try row.optionalDouble(10) == nil, try row.optionalInt(11) != nil,
            try row.optionalInt(14) == 0
        else { return .unknown }
        guard try row.optionalDouble(9) == nil, try row.int(15) == 0 else { return .suspended }
        return .bearer(TokenBearer(token: token, head: try LogHead(row, from: 11)))
    }

    private static func token(_ row: SQLRow, from column: Int) throws -> PersonToken {
        guard let kind = PersonToken.Kind(rawValue: try row.text(column + 2)) else {
            throw SQLError(.unexpectedValue(column: column + 2))
        }
        return PersonToken(
            identifier: try row.text(column), person: try row.text(column + 1), kind: kind,
            name: try row.text(column + 3),
            scope: try StoredScope.scope(row.optionalText(column + 4)),
            createdAt: try row.double(column + 5), revokedAt: try row.optionalDouble(column + 6))
    }

    // MARK: - Sessions

    /// How long a browser's session lasts, in seconds.
    package static let sessionLifetime = 30 * 86_400.0
    /// The maximum number of a person's sessions. A further one ends the oldest.
    static let maximumSessions = 20

    /// Opens a session of a browser for a reading token.
    ///
    /// - Parameters:
    ///   - key: A random key, for the cookie.
    ///   - now: The current time, in reference seconds.
    func openSession(_ key: SessionKey, for bearer: TokenBearer, at now: Double) async throws {
        let digest = PeopleDirectory.digest(of: key.text)
        let token = bearer.token
        try await database.transaction(.readWrite) { [dialect] connection in
            try dialect.limit(connection, to: .person(token.person))
            try ChangeLog.lock(token.person, connection)
            _ = try connection.execute(
                "DELETE FROM session WHERE person = $1 AND (expires_at <= $2 OR digest NOT IN "
                    + "(SELECT digest FROM session WHERE person = $1 "
                    + "ORDER BY created_at DESC LIMIT $3))",
                [
                    .text(token.person), .real(now),
                    .integer(Int64(PeopleDirectory.maximumSessions - 1)),
                ])
            _ = try connection.execute(
                "INSERT INTO session (digest, person, token, created_at, expires_at) "
                    + "VALUES ($1, $2, $3, $4, $5)",
                [
                    .bytes(digest), .text(token.person), .text(token.identifier), .real(now),
                    .real(now + PeopleDirectory.sessionLifetime),
                ])
        }
    }

    /// Ends a session of a browser.
    func endSession(_ key: SessionKey) async throws {
        let digest = PeopleDirectory.digest(of: key.text)
        try await database.transaction(.readWrite) { [dialect] connection in
            try dialect.limit(connection, to: .everybody)
            let people = try connection.execute(
                "DELETE FROM session WHERE digest = $1 RETURNING person", [.bytes(digest)])
            for row in people.rows { try PeopleDirectory.endSessions(of: row.text(0), connection) }
        }
    }

    private static func digest(of key: String) -> [UInt8] {
        var digest = SHA256()
        digest.update(Array(key.utf8))
        return digest.bytes()
    }

    // MARK: - Tokens

    /// Adds a token.
    ///
    /// - Parameter prepare: Receives the token's identifier before the token is written.
    /// - Returns: The token. Its secret isn't stored, so it can't be shown again.
    /// - Throws: ``PeopleError/unknownPerson``, ``PeopleError/deviceNameTaken``,
    ///   ``PeopleError/invalidName``, ``PeopleError/suspended``, ``SQLError``.
    package func addToken(
        _ kind: PersonToken.Kind, named name: String, of person: String,
        _ scope: ReadScope = ReadScope(), at now: Double,
        preparing prepare: (_ identifier: String) throws -> Void = { _ in }
    ) throws -> AccessToken {
        let name = try PeopleDirectory.checked(name)
        let token = AccessToken(kind.prefix)
        try prepare(token.identifier)
        try transaction(.readWrite, kind == .operator ? .everybody : .person(person)) {
            connection in
            if kind != .operator { try ChangeLog.lock(person, connection) }
            if kind == .device {
                let taken = try connection.execute(
                    "SELECT 1 FROM person_token WHERE person = $1 AND kind = 'device' "
                        + "AND folded = $2 AND revoked_at IS NULL",
                    [.text(person), .text(AccessDirectory.folded(name))])
                if !taken.rows.isEmpty { throw PeopleError.deviceNameTaken }
            }
            try PeopleDirectory.insert(token, kind, name, person, scope, now, connection)
        }
        return token
    }

    static func insert(
        _ token: AccessToken, _ kind: PersonToken.Kind, _ name: String, _ person: String,
        _ scope: ReadScope, _ now: Double, _ connection: any SQLConnection
    ) throws {
        _ = try connection.execute(
            "INSERT INTO person_token (identifier, person, kind, name, folded, digest, scope, "
                + "created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            [
                .text(token.identifier), .text(person), .text(kind.rawValue), .text(name),
                .text(AccessDirectory.folded(name)), .bytes(token.digest),
                StoredScope.text(scope).map(SQLValue.text) ?? .null, .real(now),
            ])
    }

    /// Tells all nodes that tokens or sessions of a person have ended: open pages are checked again.
    static func endSessions(of person: String, _ connection: any SQLConnection) throws {
        _ = try connection.execute(
            "UPDATE person_head SET revocations = revocations + 1 WHERE person = $1",
            [.text(person)])
    }

    /// Returns a person's tokens, the oldest first; an operator's for an empty text.
    package func tokens(of person: String) throws -> [PersonToken] {
        try transaction(.readOnly, person.isEmpty ? .everybody : .person(person)) { connection in
            try connection.execute(
                "SELECT identifier, person, kind, name, scope, created_at, revoked_at "
                    + "FROM person_token WHERE person = $1 ORDER BY created_at, identifier",
                [.text(person)]
            ).rows.map { try PeopleDirectory.token($0, from: 0) }
        }
    }

    /// Revokes a token, and ends the sessions that it opened.
    ///
    /// - Parameters:
    ///   - name: The public identifier, or the name of a device.
    ///   - person: Whose it is; empty for an operator's.
    /// - Throws: ``PeopleError/unknownDevice`` also for a revoked one;
    ///   ``PeopleError/unknownPerson``, ``PeopleError/suspended``, ``SQLError``.
    package func revokeToken(_ name: String, of person: String, at now: Double) throws {
        try transaction(.readWrite, person.isEmpty ? .everybody : .person(person)) { connection in
            // A move would take the token along as it was.
            if !person.isEmpty { try ChangeLog.lock(person, connection) }
            let revoked = try connection.execute(
                "UPDATE person_token SET revoked_at = $1 WHERE person = $2 AND revoked_at IS NULL "
                    + "AND (identifier = $3 OR kind = 'device' AND folded = $4)",
                [.real(now), .text(person), .text(name), .text(AccessDirectory.folded(name))])
            if revoked.affectedRows == 0 { throw PeopleError.unknownDevice }
            _ = try connection.execute(
                "DELETE FROM session WHERE token IN "
                    + "(SELECT identifier FROM person_token WHERE person = $1 "
                    + "AND revoked_at IS NOT NULL)", [.text(person)])
            try PeopleDirectory.endSessions(of: person, connection)
        }
    }

    /// Records a request that stored nothing.
    package func note(_ contact: DeviceContact, of person: String) async throws {
        try await database.transaction(.readWrite) { [dialect] connection in
            try dialect.limit(connection, to: .person(person))
            try ChangeLog.lock(person, connection)
            try contact.insert(of: person, connection)
        }
    }

    /// Returns a name without surrounding white space.
    static func checked(_ name: String) throws(PeopleError) -> String {
        do { return try AccessError.checked(name) } catch { throw .invalidName }
    }
}

extension PersonToken.Kind {
    /// The kind of the token's text.
    fileprivate var prefix: AccessToken.Kind {
        switch self {
        case .device: .device
        case .reading: .reading
        case .operator: .operating
        }
    }
}

import Foundation
import GRDB

/// What the bearer of a read token may read.
package struct ReadScope: Hashable, Sendable {
    /// The identifiers of the types; nil for all.
    package var types: Set<String>?
    /// Samples before this time are hidden, in reference seconds; nil for none.
    package var earliest: Double?
    /// Whether only sums, averages and other statistics may be read, no single samples.
    package var isAggregatedOnly: Bool

    package init(
        types: Set<String>? = nil, earliest: Double? = nil, isAggregatedOnly: Bool = false
    ) {
        self.types = types
        self.earliest = earliest
        self.isAggregatedOnly = isAggregatedOnly
    }
}

/// A token of a program that reads.
package struct ReadToken: Hashable, Sendable {
    /// The public identifier, such as "r0c5f1a2b3c4d5e6f".
    package var identifier: String
    package var name: String
    package var scope: ReadScope
    /// When it was added, in reference seconds.
    package var createdAt: Double
    /// When it was last used, in reference seconds; nil if never.
    package var usedAt: Double?
    /// When it was revoked, in reference seconds; nil if it is valid.
    package var revokedAt: Double?

    package init(
        identifier: String, name: String, scope: ReadScope, createdAt: Double,
        usedAt: Double? = nil, revokedAt: Double? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.scope = scope
        self.createdAt = createdAt
        self.usedAt = usedAt
        self.revokedAt = revokedAt
    }
}

extension AccessDirectory {
    /// Adds a token for a program that reads.
    ///
    /// - Parameters:
    ///   - name: A name for lists. Several tokens can have one name.
    ///   - scope: What the program may read.
    ///   - now: The current time, in reference seconds.
    /// - Returns: The token. Its secret isn't stored, so it can't be shown again.
    /// - Throws: ``AccessError/invalidName``; ``StoreError`` if the file can't be written.
    package func addToken(
        _ name: String, _ scope: ReadScope, at now: Double
    ) throws -> AccessToken {
        let name = try AccessError.checked(name)
        let token = AccessToken(.reading)
        try writeDurably { db in
            try db.execute(
                sql: """
                    INSERT INTO read_token (name, identifier, digest, types, earliest,
                        aggregated_only, created_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    name, token.identifier, Data(token.digest),
                    try scope.types.map { try StoredText.encoded($0.sorted()) }, scope.earliest,
                    scope.isAggregatedOnly, now,
                ])
        }
        return token
    }

    /// Returns a read token.
    ///
    /// - Parameter text: The token as it was sent.
    /// - Returns: The token's facts; nil for an unknown or revoked one.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func readToken(forText text: String) throws -> ReadToken? {
        guard let token = AccessToken(text) else { return nil }
        return try read { db in
            let row = try CheckedRow.readOne(
                db,
                sql: "SELECT * FROM read_token WHERE identifier = ? AND revoked_at IS NULL",
                arguments: [token.identifier])
            guard let row, token.matches(try row["digest"] as Data) else { return nil }
            return try AccessDirectory.readToken(row)
        }
    }

    /// Returns all read tokens in the order in which they were added, with the revoked ones.
    ///
    /// - Returns: The tokens, without their secrets.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func readTokens() throws -> [ReadToken] {
        try read { db in
            try CheckedRow.readAll(db, sql: "SELECT * FROM read_token ORDER BY id")
                .map(AccessDirectory.readToken)
        }
    }

    /// Revokes a read token.
    ///
    /// - Parameters:
    ///   - identifier: The public identifier.
    ///   - now: The current time, in reference seconds.
    /// - Throws: ``AccessError/unknownToken(_:)`` also for a revoked one; ``StoreError`` if the
    ///   file can't be written.
    package func removeToken(_ identifier: String, at now: Double) throws {
        try writeDurably { db in
            try db.execute(
                sql: "UPDATE read_token SET revoked_at = ?, digest = zeroblob(0) "
                    + "WHERE identifier = ? AND revoked_at IS NULL",
                arguments: [now, identifier])
            if db.changesCount == 0 { throw AccessError.unknownToken(identifier) }
        }
    }

    /// Records that a read token was used.
    ///
    /// - Parameters:
    ///   - identifier: The public identifier.
    ///   - now: The current time, in reference seconds.
    /// - Throws: ``StoreError`` if the file can't be written.
    package func noteUse(ofToken identifier: String, at now: Double) throws {
        try write { db in
            try db.execute(
                sql: "UPDATE read_token SET used_at = ? WHERE identifier = ?",
                arguments: [now, identifier])
        }
    }

    private static func readToken(_ row: CheckedRow) throws -> ReadToken {
        let types: String? = try row["types"]
        let decoded = try types.map { text in
            guard let names = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
            else { throw StoreError.damaged("read_token.types") }
            return Set(names)
        }
        return ReadToken(
            identifier: try row["identifier"], name: try row["name"],
            scope: ReadScope(
                types: decoded, earliest: try row["earliest"],
                isAggregatedOnly: try row["aggregated_only"]),
            createdAt: try row["created_at"], usedAt: try row["used_at"],
            revokedAt: try row["revoked_at"])
    }
}

import Foundation

/// What was erased of a person, and what can't be promised.
package struct ErasureReceipt: Hashable, Sendable, Codable {
    package var person: String
    /// In reference seconds.
    package var erasedAt: Double
    /// The rows that were deleted.
    package var entries: Int
    package var copies: Int
    package var receipts: Int
    package var tokens: Int
    /// The number of destroyed keys.
    package var keys: Int
    /// How long nodes can have an open store, in seconds.
    package var nodesWithin = 60
}

extension People {
    /// Erases a person: the log, the keys, tokens, sessions and receipts. Open stores of all nodes
    /// are removed within a minute. The identifier is never used again.
    ///
    /// The list of accesses stays: it has the random identifier and no health value. Erasing an
    /// erased person again completes an interrupted erasure.
    ///
    /// - Throws: ``PeopleError/unknownPerson``; ``PeopleError/suspended`` for a person who is being
    ///   moved; ``SQLError``.
    package func erase(_ person: String, at now: Double) throws -> ErasureReceipt {
        var receipt = try eraseLog(of: person, frozenAs: 0, at: now)
        receipt.keys = try keys.destroy(of: person)
        try (log.database as? SQLiteDatabase)?.truncateLog()
        return receipt
    }

    /// Erases all of a person but the keys.
    ///
    /// - Parameter number: The number of the move that has frozen the log; 0 for none.
    func eraseLog(
        of person: String, frozenAs number: Int64, at now: Double
    ) throws -> ErasureReceipt {
        try directory.transaction(.readWrite, .person(person)) { connection in
            let known = try connection.execute(
                "SELECT erased_at FROM person WHERE person = $1", [.text(person)])
            guard let row = known.rows.first else { throw PeopleError.unknownPerson }
            let moment = try row.optionalDouble(0) ?? now
            _ = try connection.execute(
                "UPDATE person SET name = NULL, erased_at = $1 WHERE person = $2",
                [.real(moment), .text(person)])
            // Nodes compare heads: this one fits no store.
            let ended = try connection.execute(
                "UPDATE person_head SET erased = 1, frozen = 0, bytes = 0, hash = $1 "
                    + "WHERE person = $2 AND frozen = $3",
                [
                    .bytes([UInt8](repeating: 0, count: 32)), .text(person), .integer(number),
                ])
            if ended.affectedRows == 0 { throw PeopleError.suspended }
            func delete(_ table: String) throws -> Int {
                try connection.execute(
                    "DELETE FROM \(table) WHERE person = $1", [.text(person)]
                ).affectedRows
            }
            _ = try delete("session")
            _ = try delete("contact")
            _ = try delete("snapshot_chunk")
            return ErasureReceipt(
                person: person, erasedAt: moment, entries: try delete("entry"),
                copies: try delete("snapshot"), receipts: try delete("receipt"),
                tokens: try delete("person_token"), keys: 0)
        }
    }
}

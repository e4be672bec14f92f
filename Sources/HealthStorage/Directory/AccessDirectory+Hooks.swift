import Foundation
import GRDB

/// An address that is notified of changes (a webhook).
package struct Hook: Hashable, Sendable {
    /// The public identifier, such as "h0c5f1a2b3c4d5e6f".
    package var identifier: String
    /// The HTTPS address.
    package var url: String
    /// The key that signs the notices. Unlike tokens it is stored, because signing needs it.
    package var secret: String
    /// Whether the address may resolve to a private address.
    package var allowsPrivateAddresses: Bool
    /// When it was added, in reference seconds.
    package var createdAt: Double
    /// The store's sequence number of the last accepted notice.
    package var sequence: Int64
    /// When the last notice was accepted, in reference seconds; nil if none was.
    package var acceptedAt: Double?
    /// The failures since the last accepted notice.
    package var failure: Failure?
    /// When it was switched off after failures, in reference seconds; nil if it is on.
    package var switchedOffAt: Double?

    /// Failures in a row.
    package struct Failure: Hashable, Sendable {
        /// The number of failures.
        package var count: Int
        /// When the first of them happened, in reference seconds.
        package var since: Double
        /// When the last of them happened, in reference seconds.
        package var last: Double
        /// Why the last one failed, without a value.
        package var reason: String

        package init(count: Int, since: Double, last: Double, reason: String) {
            self.count = count
            self.since = since
            self.last = last
            self.reason = reason
        }
    }
}

extension AccessDirectory {
    /// The maximum number of hooks.
    package static let maximumHooks = 20

    static func createHooks(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE hook (
                    id INTEGER PRIMARY KEY,
                    identifier TEXT NOT NULL UNIQUE,
                    url TEXT NOT NULL,
                    secret TEXT NOT NULL, -- the key that signs notices
                    allows_private INTEGER NOT NULL, -- whether private addresses are permitted
                    created_at REAL NOT NULL,
                    sequence INTEGER NOT NULL, -- the store's, at the last accepted notice
                    accepted_at REAL,
                    failures INTEGER NOT NULL DEFAULT 0, -- since the last accepted notice
                    failing_since REAL,
                    failed_at REAL,
                    reason TEXT, -- why the last notice failed
                    switched_off_at REAL);
                """)
    }

    /// Adds a hook, with a random identifier and secret.
    ///
    /// - Parameters:
    ///   - url: The address, already checked.
    ///   - allowsPrivateAddresses: Whether it may resolve to a private address.
    ///   - sequence: The store's sequence number. Only later changes are notified.
    ///   - now: The current time, in reference seconds.
    /// - Returns: The hook.
    /// - Throws: ``HookError/tooMany``; ``StoreError`` if the file can't be written.
    package func addHook(
        _ url: String, allowsPrivateAddresses: Bool, after sequence: Int64, at now: Double
    ) throws -> Hook {
        // The same random texts as a token's: an identifier and 256 bits.
        let token = AccessToken(.hook)
        let hook = Hook(
            identifier: token.identifier, url: url, secret: token.secretText,
            allowsPrivateAddresses: allowsPrivateAddresses, createdAt: now, sequence: sequence)
        try writeDurably { db in
            let count = try Int.readOne(db, sql: "SELECT count(*) FROM hook") ?? 0
            guard count < AccessDirectory.maximumHooks else { throw HookError.tooMany }
            try db.execute(
                sql: """
                    INSERT INTO hook (identifier, url, secret, allows_private, created_at, sequence)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    hook.identifier, hook.url, hook.secret, hook.allowsPrivateAddresses,
                    hook.createdAt, hook.sequence,
                ])
        }
        return hook
    }

    /// Returns all hooks in the order in which they were added.
    ///
    /// - Throws: ``StoreError`` if the file can't be read.
    package func hooks() throws -> [Hook] {
        try read { db in
            try CheckedRow.readAll(db, sql: "SELECT * FROM hook ORDER BY id")
                .map(AccessDirectory.hook)
        }
    }

    /// Removes a hook and its secret.
    ///
    /// - Throws: ``HookError/unknown(_:)``; ``StoreError`` if the file can't be written.
    package func removeHook(_ identifier: String) throws {
        try writeDurably { db in
            try db.execute(sql: "DELETE FROM hook WHERE identifier = ?", arguments: [identifier])
            if db.changesCount == 0 { throw HookError.unknown(identifier) }
        }
    }

    /// Stores the state of a hook after a notice: its sequence number, times and failures. A hook
    /// that was removed meanwhile stays removed.
    ///
    /// - Throws: ``StoreError`` if the file can't be written.
    package func update(_ hook: Hook) throws {
        try write { db in
            try db.execute(
                sql: """
                    UPDATE hook SET sequence = ?, accepted_at = ?, failures = ?, failing_since = ?,
                        failed_at = ?, reason = ?, switched_off_at = ?
                    WHERE identifier = ?
                    """,
                arguments: [
                    hook.sequence, hook.acceptedAt, hook.failure?.count ?? 0, hook.failure?.since,
                    hook.failure?.last, hook.failure?.reason, hook.switchedOffAt, hook.identifier,
                ])
        }
    }

    private static func hook(_ row: CheckedRow) throws -> Hook {
        let count: Int = try row["failures"]
        let since: Double? = try row["failing_since"]
        let last: Double? = try row["failed_at"]
        let reason: String? = try row["reason"]
        var failure: Hook.Failure?
        if count > 0, let since, let last {
            failure = Hook.Failure(count: count, since: since, last: last, reason: reason ?? "")
        }
        return Hook(
            identifier: try row["identifier"], url: try row["url"], secret: try row["secret"],
            allowsPrivateAddresses: try row["allows_private"], createdAt: try row["created_at"],
            sequence: try row["sequence"], acceptedAt: try row["accepted_at"], failure: failure,
            switchedOffAt: try row["switched_off_at"])
    }
}

/// Why a hook can't be added or removed.
package enum HookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are already ``AccessDirectory/maximumHooks``.
    case tooMany
    /// No hook has the identifier.
    case unknown(String)

    package var description: String {
        switch self {
        case .tooMany: "There are already \(AccessDirectory.maximumHooks) hooks. Remove one first."
        case .unknown(let identifier): "There is no hook “\(identifier)”."
        }
    }
}

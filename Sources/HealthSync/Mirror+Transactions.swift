import Foundation
import GRDB

/// What a transaction's loss in a power failure would cost.
enum MirrorDurability: String {
    /// Nothing: the health store still has it, and the position is lost with it.
    case readAgain = "NORMAL"
    /// Something that a person or the app wrote: it is on the disk before the call returns.
    case onDisk = "FULL"
}

extension Mirror {
    /// Writes in one transaction and raises the change counter.
    ///
    /// - Throws: ``MirrorError``, and what the body throws; nothing is kept then.
    func write<T: Sendable>(
        _ durability: MirrorDurability = .onDisk,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let probe = probe
        return try await transaction(durability) { db in
            try Mirror.raiseChangeCount(db)
            let value = try body(db)
            try probe.reached(.rowsWritten)
            return value
        }
    }

    /// Reads one state of the file.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await translatingErrors { try await database.read(body) }
    }

    /// How many transactions have changed entries or what hangs on them, in any process.
    func changeCount(_ db: Database) throws -> Int64 {
        try Mirror.changeCount(db)
    }

    static func changeCount(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM meta WHERE key = 'change'")) ?? 0
    }

    static func raiseChangeCount(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE meta SET value = value + 1 WHERE key = 'change'")
            .execute()
    }

    /// One transaction that leaves the change counter alone.
    func transaction<T: Sendable>(
        _ durability: MirrorDurability,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let probe = probe
        return try await translatingErrors {
            let value = try await database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                var value: T?
                try db.inTransaction(.immediate) {
                    try probe.reached(.transactionBegun)
                    value = try body(db)
                    return .commit
                }
                return value
            }
            try probe.reached(.transactionCommitted)
            guard let value else { throw MirrorError.unavailable }
            return value
        }
    }
}

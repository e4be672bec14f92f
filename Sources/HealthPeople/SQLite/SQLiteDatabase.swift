import Foundation
import GRDB

/// A database in one SQLite file, for a log in a folder.
///
/// ```swift
/// let database = try SQLiteDatabase(at: folder + "/log.sqlite")
/// try await database.transaction(.readWrite) { connection in
///     try connection.execute("INSERT INTO person (name) VALUES ($1)", [.text("Ada")])
/// }
/// ```
/// Transactions that write run one after the other; those that only read run beside them. Other
/// processes may have the same file open. A transaction waits at most ``busyTimeout`` for them.
package final class SQLiteDatabase: SQLDatabase {
    /// How long a transaction waits for a lock that another process holds.
    static let busyTimeout = Duration.seconds(5)
    /// The number of connections that only read.
    static let readerLimit = 4
    /// How long a transaction can wait for others of this process.
    static let queueTimeout = Duration.seconds(10)

    private let pool: DatabasePool
    private let pending: SQLitePending
    /// The transactions of tasks. Blocking calls run on their own threads.
    private let (writer, readers) = (OperationQueue(), OperationQueue())
    /// The key of this database in the dictionary of a thread that runs one of its bodies.
    private let key: String

    /// Opens a file, or creates it. Only its owner can read it.
    ///
    /// - Parameter path: The path of the file. Its folder must exist.
    /// - Throws: ``SQLError``.
    package init(at path: String) throws(SQLError) {
        let pool = try Self.open(path)
        self.pool = pool
        pending = SQLitePending { Self.close(pool) }
        writer.maxConcurrentOperationCount = 1
        readers.maxConcurrentOperationCount = Self.readerLimit
        key = "HealthPeople.SQLiteDatabase \(ObjectIdentifier(pool))"
    }

    /// Writes the write-ahead log to the file and truncates it, so that nothing deleted stays in it.
    ///
    /// - Throws: ``SQLError`` with `lockTimeout` if another connection reads older data.
    func truncateLog() throws(SQLError) {
        do {
            let isBusy = try pool.writeWithoutTransaction { db in
                try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
            }
            if isBusy == 0 { return }
        } catch { throw SQLError(sqlite: error) }
        throw SQLError(.lockTimeout)
    }

    package func transaction<Value: Sendable>(
        _ mode: SQLTransactionMode,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try pending.begin()
        let deadline = ContinuousClock.now + Self.queueTimeout
        return try await withCheckedThrowingContinuation { continuation in
            // GRDB's asynchronous reads keep a connection open for a moment after their end.
            (mode == .readOnly ? readers : writer).addOperation {
                let result = Result { try self.run(mode, until: deadline, body) }
                self.pending.end()
                continuation.resume(with: result)
            }
        }
    }

    package func blockingTransaction<Value>(
        _ mode: SQLTransactionMode, _ body: @escaping (any SQLConnection) throws -> Value
    ) throws -> Value {
        // It would wait for itself.
        guard !isInBody else { throw SQLError(.nestedTransaction) }
        try pending.begin()
        defer { pending.end() }
        return try run(mode, until: .now + Self.queueTimeout, body)
    }

    package func close() {
        pending.close()
        if !isInBody { pending.waitUntilClosed() }
    }

    private func run<Value>(
        _ mode: SQLTransactionMode, until deadline: ContinuousClock.Instant,
        _ body: (any SQLConnection) throws -> Value
    ) throws -> Value {
        // Its own errors are kept apart from those of GRDB, which may contain values.
        let transaction = { (database: Database) in
            Result { try self.run(mode, on: database, until: deadline, body) }
        }
        let result: Result<Value, any Error>
        do {
            switch mode {
            case .readOnly: result = try pool.unsafeRead(transaction)
            case .readWrite, .serializable: result = pool.writeWithoutTransaction(transaction)
            }
        } catch {
            throw SQLError(sqlite: error)
        }
        return try result.get()
    }

    private func run<Value>(
        _ mode: SQLTransactionMode, on database: Database,
        until deadline: ContinuousClock.Instant, _ body: (any SQLConnection) throws -> Value
    ) throws -> Value {
        guard ContinuousClock.now < deadline else {
            throw SQLError(.overloaded, detail: "The transaction was in it for too long.")
        }
        Thread.current.threadDictionary[key] = true
        defer { Thread.current.threadDictionary[key] = nil }
        return try SQLiteTransaction.run(mode, on: database, body)
    }

    private var isInBody: Bool { Thread.current.threadDictionary[key] != nil }
}

/// A database: a bounded queue of transactions for a limited number of connections.
///
/// ```swift
/// let count = try await database.transaction(.readOnly) { connection in
///     try connection.execute("SELECT count(*) FROM person").rows[0].int(0)
/// }
/// ```
/// Statements block their thread, which doesn't belong to Swift's cooperative pool.
package protocol SQLDatabase: Sendable {
    /// Runs `body` in one transaction on a thread of the database.
    ///
    /// The transaction is committed after `body` returns and rolled back if it throws. It is also
    /// rolled back if a statement failed and `body` caught the error; then that error is thrown.
    /// Cancelling the task has no effect: work that has begun runs to its end.
    ///
    /// - Parameters:
    ///   - mode: What the transaction may do.
    ///   - body: The statements. It must not keep the connection.
    /// - Returns: The value of `body`, after the commit.
    /// - Throws: The error of `body`; ``SQLError`` of the database. With the code
    ///   ``SQLError/Code/unknownOutcome`` the transaction may have been committed.
    func transaction<Value: Sendable>(
        _ mode: SQLTransactionMode,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs `body` as ``transaction(_:_:)`` and blocks the calling thread until it has ended.
    ///
    /// It must not be called on the cooperative pool. In a body of the same database, it throws an
    /// ``SQLError`` with the code ``SQLError/Code/nestedTransaction``.
    func blockingTransaction<Value>(
        _ mode: SQLTransactionMode, _ body: @escaping (any SQLConnection) throws -> Value
    ) throws -> Value

    /// Accepts no more transactions, runs those in the queue, closes the connections and returns
    /// when that is done.
    ///
    /// It blocks the calling thread.
    func close()
}

/// What a transaction may do, and what it sees of others.
package enum SQLTransactionMode: Hashable, Sendable {
    /// It reads one snapshot. PostgreSQL: repeatable read, read only.
    case readOnly
    /// It may write. PostgreSQL: read committed, so each statement has a snapshot of its own.
    /// SQLite: as ``serializable``.
    case readWrite
    /// It may write, and has the result of a transaction that ran alone. PostgreSQL can refuse it
    /// with ``SQLError/Code/conflict``; then the caller repeats it. SQLite runs it alone.
    case serializable
}

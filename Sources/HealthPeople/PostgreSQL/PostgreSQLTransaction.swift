/// The connection that the body of a transaction receives: it can be used until the body returns.
final class PostgreSQLTransaction: SQLConnection {
    private let connection: PostgreSQLConnection
    private let mode: SQLTransactionMode
    private var isOpen = true
    /// The first error of a statement. PostgreSQL refuses all statements after it and answers
    /// COMMIT with a rollback.
    private var failure: SQLError?

    private init(_ connection: PostgreSQLConnection, _ mode: SQLTransactionMode) {
        self.connection = connection
        self.mode = mode
    }

    /// Runs a body in the transaction that was begun on a connection, and ends the transaction.
    ///
    /// - Throws: The error of `body`. If `body` caught the error of a statement and returned, that
    ///   error: such a transaction is rolled back.
    static func run<Value>(
        _ mode: SQLTransactionMode, on connection: PostgreSQLConnection,
        _ body: (any SQLConnection) throws -> Value
    ) throws -> Value {
        let transaction = PostgreSQLTransaction(connection, mode)
        let value: Value
        do {
            value = try body(transaction)
            transaction.isOpen = false
        } catch {
            transaction.isOpen = false
            connection.rollBack()
            transaction.leaveStandby()
            throw error
        }
        if let failure = transaction.failure {
            // The server would commit if it hasn't seen the statement: see SQLLimits.
            connection.rollBack()
            transaction.leaveStandby()
            throw failure
        }
        guard try connection.commit(mode) else { throw SQLError(.invalid(sqlState: "40000")) }
        return value
    }

    func execute(_ sql: String, _ parameters: [SQLValue]) throws(SQLError) -> SQLResult {
        guard isOpen else { throw SQLError(.invalid(sqlState: "25P01")) }
        if let failure { throw failure }
        do throws(SQLError) {
            let result = try connection.execute(sql, parameters)
            guard connection.isInTransaction else {
                // The body has ended the transaction with a statement of its own.
                connection.abandon()
                throw SQLError(.invalid(sqlState: "2D000"))
            }
            return result
        } catch {
            failure = failure ?? error
            throw error
        }
    }

    /// Excludes the connection from further use if its server has become a standby. The next
    /// connection is to the new primary.
    private func leaveStandby() {
        if failure?.code == .readOnly, mode != .readOnly { connection.abandon() }
    }
}

@testable import HealthPeople

/// Sees the transactions of a database, and can fail them.
protocol TransactionInterceptor: Sendable {
    /// Called before a transaction that doesn't block its caller, which it can't fail.
    func willRun()

    /// Runs the body of a transaction that blocks its caller, or doesn't.
    func run<Value>(_ mode: SQLTransactionMode, _ body: () throws -> Value) throws -> Value
}

extension TransactionInterceptor {
    func willRun() {}
}

/// A database whose transactions an interceptor sees.
final class InterceptedDatabase: SQLDatabase {
    private let database: any SQLDatabase
    private let interceptor: any TransactionInterceptor

    init(_ database: any SQLDatabase, by interceptor: any TransactionInterceptor) {
        (self.database, self.interceptor) = (database, interceptor)
    }

    func transaction<Value: Sendable>(
        _ mode: SQLTransactionMode,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        interceptor.willRun()
        return try await database.transaction(mode, body)
    }

    func blockingTransaction<Value>(
        _ mode: SQLTransactionMode, _ body: @escaping (any SQLConnection) throws -> Value
    ) throws -> Value {
        try interceptor.run(mode) { try database.blockingTransaction(mode, body) }
    }

    func close() { database.close() }
}

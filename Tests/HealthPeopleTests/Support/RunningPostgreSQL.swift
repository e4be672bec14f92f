import Foundation
import HealthPeople

/// One server for all tests that don't stop it.
///
/// Its reference is never released, but the server ends with the process of the tests. Its folder
/// remains then, so it is removed at the exit of the process.
enum RunningPostgreSQL {
    // Unchecked by the compiler: the server isn't changed after its start.
    nonisolated(unsafe) private static let started: Result<PrivatePostgreSQL, any Error> = Result {
        // The tests run at the same time, with a few connections each.
        let server = try PrivatePostgreSQL(["max_connections=400"])
        atexit { RunningPostgreSQL.end() }
        return server
    }

    static var server: PrivatePostgreSQL { get throws { try started.get() } }

    private static func end() { try? started.get().end() }

    /// Returns a connection outside a transaction.
    static func connection(
        _ settings: PostgreSQLSettings = PostgreSQLSettings()
    ) throws -> PostgreSQLConnection {
        try PostgreSQLConnection.open(server.address, settings)
    }

    /// Creates a table with a name of its own and returns the name, which replaces `TABLE` in the
    /// columns.
    static func table(_ columns: String) throws -> String {
        let name = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        try connection().execute(
            "CREATE TABLE \(name) (" + columns.replacingOccurrences(of: "TABLE", with: name) + ")")
        return name
    }

    /// Runs a body with a database, which is closed afterwards.
    static func withDatabase<Value>(
        _ address: PostgreSQLAddress? = nil,
        _ change: (inout PostgreSQLSettings) -> Void = { _ in },
        _ body: (PostgreSQLDatabase) async throws -> Value
    ) async throws -> Value {
        var settings = PostgreSQLSettings()
        change(&settings)
        let database = try PostgreSQLDatabase(address ?? server.address, settings)
        // Not on the thread of the test, which can belong to the cooperative pool.
        defer { Thread { database.close() }.start() }
        return try await body(database)
    }
}

/// Returns the error of a database that a body throws; nil if it throws none.
func sqlError<Value>(_ body: () async throws -> Value) async -> SQLError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? SQLError
    }
}

/// Runs a body on a thread of its own, and returns its error and its duration.
func timed(
    _ body: @escaping @Sendable () throws -> Void
) async -> (error: SQLError?, duration: Duration) {
    await withCheckedContinuation { continuation in
        Thread {
            let start = ContinuousClock.now
            let result = Result { try body() }
            let duration = start.duration(to: .now)
            if case .failure(let error) = result {
                continuation.resume(returning: (error as? SQLError, duration))
            } else {
                continuation.resume(returning: (nil, duration))
            }
        }.start()
    }
}

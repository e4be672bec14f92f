import Foundation
import HealthPeople
import HealthTesting
import Testing

/// The databases that must behave the same.
enum TestedDatabase: CaseIterable, CustomTestStringConvertible, Sendable {
    case sqlite
    case postgreSQL

    /// The databases of this run: PostgreSQL only in `make test-all`, and if it is installed.
    static var available: [TestedDatabase] {
        let hasServer = TestTier.current >= .all && PrivatePostgreSQL.programs != nil
        return hasServer ? allCases : [.sqlite]
    }

    var testDescription: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgreSQL: "PostgreSQL"
        }
    }

    /// Runs a body with an empty table and its database, which is closed afterwards.
    ///
    /// - Parameters:
    ///   - columns: The columns in PostgreSQL's types, of which SQLite understands all but bytea.
    ///     `TABLE` stands for the name of the table.
    ///   - body: Receives the database and the name of the table.
    func with<Value>(
        _ columns: String, _ body: (any SQLDatabase, String) async throws -> Value
    ) async throws -> Value {
        let table = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        var columns = columns.replacingOccurrences(of: "TABLE", with: table)
        let folder = try TemporaryFolder()
        let database: any SQLDatabase
        switch self {
        case .sqlite:
            columns = columns.replacingOccurrences(of: "bytea", with: "blob")
            database = try SQLiteDatabase(at: folder.path + "/log.sqlite")
        case .postgreSQL:
            database = PostgreSQLDatabase(try RunningPostgreSQL.server.address)
        }
        // Not on the thread of the test, which can belong to the cooperative pool.
        defer {
            Thread {
                database.close()
                _ = folder
            }.start()
        }
        let statement = "CREATE TABLE \(table) (\(columns))"
        try await database.transaction(.readWrite) { _ = try $0.execute(statement) }
        return try await body(database, table)
    }
}

/// The category of an error without the name of a constraint, which SQLite doesn't report.
func category(_ error: SQLError?) -> SQLError.Code? {
    switch error?.code {
    case .uniqueViolation: .uniqueViolation(constraint: nil)
    case .foreignKeyViolation: .foreignKeyViolation(constraint: nil)
    case .checkViolation: .checkViolation(constraint: nil)
    case let code: code
    }
}

extension SQLDatabase {
    /// Runs one statement in a transaction.
    @discardableResult
    func run(
        _ sql: String, _ parameters: [SQLValue] = [], _ mode: SQLTransactionMode = .readWrite
    ) async throws -> SQLResult {
        try await transaction(mode) { try $0.execute(sql, parameters) }
    }

    /// Returns the number of rows of a table.
    func rows(_ table: String) async throws -> Int {
        try await run("SELECT count(*) FROM \(table)", [], .readOnly).rows[0].int(0)
    }
}

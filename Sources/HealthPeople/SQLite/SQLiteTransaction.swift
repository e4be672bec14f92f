import Foundation
import GRDB

/// The connection that the body of a transaction receives: it can be used until the body returns.
final class SQLiteTransaction: SQLConnection {
    private let database: Database
    private var isOpen = true
    /// The first error of a statement. PostgreSQL commits nothing after one, so this doesn't.
    private var failure: SQLError?

    private init(_ database: Database) { self.database = database }

    /// Runs a body in a transaction.
    ///
    /// - Throws: The error of `body`. If `body` caught the error of a statement and returned, that
    ///   error: such a transaction is rolled back.
    static func run<Value>(
        _ mode: SQLTransactionMode, on database: Database,
        _ body: (any SQLConnection) throws -> Value
    ) throws -> Value {
        // A deferred transaction that begins to write fails if another one has written meanwhile.
        do {
            try database.beginTransaction(mode == .readOnly ? .deferred : .immediate)
        } catch {
            throw SQLError(sqlite: error)
        }
        let transaction = SQLiteTransaction(database)
        defer {
            transaction.isOpen = false
            // Without effect after a commit. SQLite has ended the transaction if this fails.
            try? database.rollback()
        }
        let value = try body(transaction)
        if let failure = transaction.failure { throw failure }
        try commit(mode, database)
        return value
    }

    private static func commit(
        _ mode: SQLTransactionMode, _ database: Database
    ) throws(SQLError) {
        do {
            try database.commit()
        } catch {
            // If writing to the disk failed, the commit can be in the write-ahead log, from where
            // the next process to open the file restores it.
            let failure = SQLError(sqlite: error)
            guard mode != .readOnly, failure.code == .unavailable else { throw failure }
            throw SQLError(.unknownOutcome, detail: failure.detail)
        }
    }

    func execute(_ sql: String, _ parameters: [SQLValue]) throws(SQLError) -> SQLResult {
        guard isOpen else { throw SQLError(.invalid(sqlState: "25P01")) }
        if let failure { throw failure }
        do {
            try SQLLimits.check(sql, parameters)
            let result = try run(sql, parameters)
            // The body has ended the transaction with a statement of its own.
            guard database.isInsideTransaction else { throw SQLError(.invalid(sqlState: "2D000")) }
            return result
        } catch {
            let failure = SQLError(sqlite: error)
            self.failure = failure
            throw failure
        }
    }

    private func run(_ sql: String, _ parameters: [SQLValue]) throws -> SQLResult {
        let statement = try database.cachedStatement(sql: sql)
        var arguments: [String: DatabaseValue] = [:]
        for (index, value) in parameters.enumerated() {
            arguments[String(index + 1)] = value.databaseValue
        }
        let changes = database.totalChangesCount
        let cursor = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
        var rows: [SQLRow] = []
        while let row = try cursor.next() {
            rows.append(SQLRow(row.databaseValues.map(SQLValue.init)))
        }
        // The statement stays in the cache, but not its values.
        statement.setUncheckedArguments(StatementArguments())
        // SQLite's count is that of an earlier statement if this one can't change rows.
        let changed = database.totalChangesCount > changes ? database.changesCount : 0
        return SQLResult(
            rows: rows, affectedRows: statement.isReadonly ? rows.count : changed)
    }
}

// MARK: - Values

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): Data(value).databaseValue
        case .boolean(let value): value.databaseValue
        }
    }

    fileprivate init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let value): .integer(value)
            case .double(let value): .real(value)
            case .string(let value): .text(value)
            case .blob(let value): .bytes([UInt8](value))
            }
    }
}

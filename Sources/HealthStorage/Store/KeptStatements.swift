import GRDB
import HealthEngine
import Synchronization

/// Prepared statements that connections keep between calls.
///
/// Preparing a statement takes 50 to 100 microseconds, mostly in callbacks that find out what it reads. A
/// push of one sample needs sixty of them, a page some hundred. Each connection keeps its statements until
/// it is closed; the number of different texts is limited for the whole process, so texts that differ in
/// each call don't fill memory.
enum KeptStatements {
    /// The maximum number of different texts.
    private static let limit = 300

    private struct State {
        var texts: Set<String> = []
        /// The addresses of statements that a ``StoreStatement`` uses now.
        var used: Set<UInt> = []
    }

    private static let state = Mutex(State())

    /// Returns the connection's statement with a text, prepared if necessary. Finish with it before
    /// another one with the same text is needed.
    static func statement(_ db: Database, _ sql: String) throws -> Statement {
        let isKept = state.withLock { state in
            if state.texts.contains(sql) { return true }
            guard state.texts.count < limit else { return false }
            state.texts.insert(sql)
            return true
        }
        return try isKept ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
    }

    /// Returns the connection's statement with a text for one user; nil if another one uses it now.
    static func take(_ db: Database, _ sql: String) throws -> Statement? {
        let statement = try statement(db, sql)
        let address = UInt(bitPattern: statement.sqliteStatement)
        let isFree = state.withLock { $0.used.insert(address).inserted }
        return isFree ? statement : nil
    }

    static func giveBack(_ statement: Statement) {
        let address = UInt(bitPattern: statement.sqliteStatement)
        state.withLock { _ = $0.used.remove(address) }
    }
}

extension Database {
    /// Executes a statement that the connection keeps. A text with several statements is an error.
    func executeKept(sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try KeptStatements.statement(self, sql).execute(arguments: arguments)
    }
}

import CPostgreSQL

/// A connection to a PostgreSQL server.
///
/// It sends only statements with parameters, in the extended protocol, and no session state: no
/// prepared statements, SET, LISTEN or temporary tables. So it also works through a pooler that
/// assigns a server to each transaction, such as PgBouncer.
///
/// Each call blocks its thread at most until a deadline. libpq's `PQexecParams` has no deadline;
/// this class calls the parts of it, `PQsendQueryParams` and `PQgetResult`, and waits between them.
package final class PostgreSQLConnection: SQLConnection {
    private let pointer: OpaquePointer
    private let settings: PostgreSQLSettings
    /// How long `BEGIN` can take: as long as an attempt to connect.
    private let beginTimeout: Duration
    /// Whether the connection can be used for another statement. False after a lost connection and
    /// after an answer that wasn't read to its end.
    private(set) var isUsable = true
    private var hasWorked = false
    private let opened = ContinuousClock.now

    /// Takes over a connection that libpq has established.
    init(_ pointer: OpaquePointer, _ address: PostgreSQLAddress, _ settings: PostgreSQLSettings) {
        self.pointer = pointer
        self.settings = settings
        beginTimeout = address.connectTimeout
        PQsetnonblocking(pointer, 1)
    }

    deinit { PQfinish(pointer) }

    /// Runs one statement. Outside a transaction the server commits it at once; so if the
    /// connection is lost then, the outcome is unknown.
    package func execute(
        _ sql: String, _ parameters: [SQLValue]
    ) throws(SQLError) -> SQLResult {
        let mayCommit = isUsable && !isInTransaction
        do throws(SQLError) {
            return try run(sql, parameters, within: settings.answerTimeout).result
        } catch {
            guard mayCommit, error.code == .connectionLost else { throw error }
            throw SQLError(.unknownOutcome, sqlState: error.sqlState)
        }
    }

    /// Begins a transaction with its time limits, in one round trip.
    func begin(_ mode: SQLTransactionMode) throws(SQLError) {
        let limits = [settings.statementTimeout, settings.lockTimeout, settings.idleTimeout]
        let texts = limits.map { limit in
            // 0 would mean no limit.
            let milliseconds = min(max(limit / .milliseconds(1), 1), Double(Int32.max))
            return SQLValue.text(String(Int(exactly: milliseconds.rounded()) ?? 1))
        }
        try pipeline(
            [
                (mode.statement, []),
                (
                    """
                    SELECT set_config('statement_timeout', $1, true), \
                    set_config('lock_timeout', $2, true), \
                    set_config('idle_in_transaction_session_timeout', $3, true)
                    """, texts
                ),
            ], within: beginTimeout)
    }

    /// Commits the transaction.
    ///
    /// - Parameter mode: Its mode. Of a transaction that only read, no outcome is unknown.
    /// - Returns: Whether it was committed. False if the server rolled it back because a statement
    ///   had failed.
    func commit(_ mode: SQLTransactionMode) throws(SQLError) -> Bool {
        guard isUsable else { throw SQLError(.connectionLost) }
        do {
            let (_, tag) = try run("COMMIT", [], within: settings.answerTimeout)
            hasWorked = true
            return tag == "COMMIT"
        } catch {
            // 25P03: the transaction had already been ended, because it was idle for too long.
            guard !isUsable, mode != .readOnly, error.sqlState != "25P03" else { throw error }
            throw SQLError(.unknownOutcome, sqlState: error.sqlState)
        }
    }

    /// Rolls the transaction back. If that fails, the connection isn't usable any more, and the
    /// server rolls back when it notices the end of the connection.
    func rollBack() {
        guard isUsable else { return }
        do {
            _ = try run("ROLLBACK", [], within: beginTimeout)
            hasWorked = true
        } catch {
            isUsable = false
        }
    }

    /// Whether the server had accepted the connection in earnest: a transaction ended on it, or it
    /// was open for a while. A pooler that has no server accepts connections and then ends them.
    var isProven: Bool { hasWorked || opened.duration(to: .now) > .seconds(5) }

    /// Excludes the connection from further use.
    func abandon() { isUsable = false }

    /// Whether a transaction is open, also one in which a statement has failed.
    var isInTransaction: Bool {
        let status = PQtransactionStatus(pointer)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }
}

extension SQLTransactionMode {
    /// The statement that begins a transaction. It doesn't contain READ WRITE, which would override
    /// a server's or user's default_transaction_read_only.
    fileprivate var statement: String {
        switch self {
        case .readOnly: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case .readWrite: "BEGIN ISOLATION LEVEL READ COMMITTED"
        case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
        }
    }
}

// MARK: - Statements

extension PostgreSQLConnection {
    /// Runs one statement.
    ///
    /// - Returns: Its result, and the command tag without the count of rows, such as "COMMIT".
    private func run(
        _ sql: String, _ parameters: [SQLValue], within timeout: Duration
    ) throws(SQLError) -> (result: SQLResult, tag: String) {
        let deadline = ContinuousClock.now + timeout
        try send(sql, parameters)
        try flush(until: deadline)
        var answer: (result: SQLResult, tag: String)?
        var failure: SQLError?
        while let result = try nextResult(until: deadline) {
            defer { PQclear(result) }
            do throws(SQLError) {
                answer = try read(result)
            } catch {
                failure = failure ?? error
                // Such an answer has no end that can be reached.
                if !isUsable { throw error }
            }
        }
        if PQstatus(pointer) != CONNECTION_OK { throw lost() }
        if let failure { throw failure }
        guard let answer else { throw lost() }
        return answer
    }

    /// Runs statements that return nothing of interest, in one round trip.
    private func pipeline(
        _ statements: [(sql: String, parameters: [SQLValue])], within timeout: Duration
    ) throws(SQLError) {
        let deadline = ContinuousClock.now + timeout
        guard isUsable, PQenterPipelineMode(pointer) == 1 else { throw lost() }
        for statement in statements { try send(statement.sql, statement.parameters) }
        guard PQpipelineSync(pointer) == 1 else { throw lost() }
        try flush(until: deadline)
        var failure: SQLError?
        var isSynchronized = false
        while !isSynchronized {
            // libpq separates the results of two statements by nil.
            guard let result = try nextResult(until: deadline) else {
                guard PQstatus(pointer) == CONNECTION_OK, ContinuousClock.now < deadline
                else { throw failure ?? lost() }
                continue
            }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC: isSynchronized = true
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_ABORTED: break
            default:
                do throws(SQLError) { _ = try read(result) } catch { failure = failure ?? error }
            }
            if !isUsable { throw failure ?? lost() }
        }
        guard PQexitPipelineMode(pointer) == 1 else { throw lost() }
        if let failure { throw failure }
    }

    private func send(_ sql: String, _ parameters: [SQLValue]) throws(SQLError) {
        guard isUsable else { throw SQLError(.connectionLost) }
        try SQLLimits.check(sql, parameters)
        let encoded = try PostgreSQLParameters(parameters)
        guard encoded.send(sql, to: pointer) else { throw lost() }
    }

    /// Reads a result: the rows, or the error that the server sent.
    private func read(
        _ result: OpaquePointer
    ) throws(SQLError) -> (result: SQLResult, tag: String) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            let tag = PQcmdStatus(result).map { String(cString: $0) } ?? ""
            return (try PostgreSQLDecoding(result).decode(), tag)
        case PGRES_FATAL_ERROR:
            let failure = PostgreSQLFailure(result)
            if failure.endsConnection { isUsable = false }
            throw failure.error
        default:
            // COPY, which would need other calls to come to its end.
            isUsable = false
            throw SQLError(.invalid(sqlState: "0A000"))
        }
    }
}

// MARK: - Waiting

extension PostgreSQLConnection {
    /// Sends what libpq has in its buffer. It also reads, because a server that sends a long answer
    /// doesn't read meanwhile.
    private func flush(until deadline: ContinuousClock.Instant) throws(SQLError) {
        while true {
            switch PQflush(pointer) {
            case 0: return
            case 1:
                try wait(for: [.readable, .writable], until: deadline)
                // A failure is found by the next call: the server's reason may be in the buffer.
                _ = PQconsumeInput(pointer)
            default: throw lost()
            }
        }
    }

    /// Waits for the next result and returns it; nil after the last one.
    private func nextResult(
        until deadline: ContinuousClock.Instant
    ) throws(SQLError) -> OpaquePointer? {
        while PQisBusy(pointer) == 1 {
            try wait(for: .readable, until: deadline)
            // After a failure, libpq isn't busy, and its next result is the error.
            _ = PQconsumeInput(pointer)
        }
        return PQgetResult(pointer)
    }

    /// Waits for the socket, but not longer than 100 ms: TLS can have read more from the socket
    /// than libpq has read from it, and then the socket stays silent.
    private func wait(
        for events: PostgreSQLSocket.Events, until deadline: ContinuousClock.Instant
    ) throws(SQLError) {
        let socket = PostgreSQLSocket(connection: pointer)
        switch socket.wait(for: events, until: deadline, slice: .milliseconds(100)) {
        case .ready, .slice: return
        case .deadline:
            isUsable = false
            throw SQLError(.connectionLost, detail: "The server didn't answer in time.")
        case .failed: throw lost()
        }
    }

    private func lost() -> SQLError {
        isUsable = false
        return SQLError(.connectionLost)
    }
}

/// A transaction in the queue of a database.
struct PostgreSQLJob: Sendable {
    /// How a job ended on a connection.
    enum End {
        /// The caller has its value or its error.
        case finished
        /// The connection was lost before the first statement was sent. Nothing has happened, so
        /// another connection may run the job.
        case notBegun(SQLError)
    }

    /// When the job is refused if it is still in the queue.
    let deadline: ContinuousClock.Instant
    /// Runs the transaction on a connection.
    let run: @Sendable (PostgreSQLConnection) -> End
    /// Reports to the caller that the transaction doesn't run.
    let refuse: @Sendable (SQLError) -> Void

    /// Creates a job.
    ///
    /// - Parameters:
    ///   - mode: What the transaction may do.
    ///   - deadline: When the job is refused if it is still in the queue.
    ///   - body: The statements.
    ///   - completion: Receives the value or the error, once, on any thread.
    init<Value>(
        _ mode: SQLTransactionMode, deadline: ContinuousClock.Instant,
        body: @escaping @Sendable (any SQLConnection) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.deadline = deadline
        refuse = { completion(.failure($0)) }
        run = { connection in
            do throws(SQLError) {
                try connection.begin(mode)
            } catch {
                guard connection.isUsable else { return .notBegun(error) }
                completion(.failure(error))
                return .finished
            }
            completion(Result { try PostgreSQLTransaction.run(mode, on: connection, body) })
            return .finished
        }
    }
}

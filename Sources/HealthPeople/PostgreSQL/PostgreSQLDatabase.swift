import Dispatch
import Foundation

/// A PostgreSQL database: a fixed number of threads with one connection each.
///
/// ```swift
/// let address = try PostgreSQLAddress("postgresql://health@db1/health")
/// let database = PostgreSQLDatabase(address)
/// try await database.transaction(.readWrite) { connection in
///     try connection.execute("INSERT INTO person (name) VALUES ($1)", [.text("Ada")])
/// }
/// ```
/// A connection that was lost is replaced, with exponential backoff. While there is none,
/// transactions fail at once with ``SQLError/Code/unavailable``. A transaction is repeated only if
/// its connection turns out to be lost before its first statement was sent.
package final class PostgreSQLDatabase: SQLDatabase {
    private let queue: PostgreSQLQueue
    private let queueTimeout: Duration
    /// The key of the current database in the dictionary of its threads.
    private static let key = "HealthPeople.PostgreSQLDatabase"

    /// Starts the threads, which connect at once. It doesn't wait for them.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - settings: The limits.
    package init(
        _ address: PostgreSQLAddress, _ settings: PostgreSQLSettings = PostgreSQLSettings()
    ) {
        let threads = max(settings.threads, 1)
        let queue = PostgreSQLQueue(limit: max(settings.queueLimit, 0), threads: threads)
        self.queue = queue
        queueTimeout = settings.queueTimeout
        let worker = PostgreSQLWorker(address: address, settings: settings, queue: queue)
        for number in 1...threads {
            let thread = Thread {
                Thread.current.name = "postgresql-\(number)"
                Thread.current.threadDictionary[Self.key] = queue
                worker.run()
            }
            thread.start()
        }
    }

    deinit { queue.close() }

    package func transaction<Value: Sendable>(
        _ mode: SQLTransactionMode,
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.submit(
                PostgreSQLJob(mode, deadline: .now + queueTimeout, body: body) {
                    continuation.resume(with: $0)
                })
        }
    }

    package func blockingTransaction<Value>(
        _ mode: SQLTransactionMode, _ body: @escaping (any SQLConnection) throws -> Value
    ) throws -> Value {
        // It would wait for itself if all threads did this.
        guard !isOnOwnThread else { throw SQLError(.nestedTransaction) }
        let call = BlockingCall(body)
        queue.submit(
            PostgreSQLJob(mode, deadline: .now + queueTimeout, body: call.run, completion: call.end)
        )
        return try call.value()
    }

    package func close() {
        queue.close()
        if !isOnOwnThread { queue.waitForThreads() }
    }

    private var isOnOwnThread: Bool {
        Thread.current.threadDictionary[Self.key] as? PostgreSQLQueue === queue
    }
}

/// A call that waits for a body that another thread runs.
// Unchecked: the calling thread uses the variables before it submits the job and after the
// semaphore, the other thread between.
private final class BlockingCall<Value>: @unchecked Sendable {
    /// nil after the end: then nothing of the caller's is kept, although the thread that ran it may
    /// still have this object.
    private var body: ((any SQLConnection) throws -> Value)?
    private var returned: Value?
    private var result: Result<Void, any Error> = .success(())
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping (any SQLConnection) throws -> Value) { self.body = body }

    @Sendable func run(_ connection: any SQLConnection) throws {
        returned = try body?(connection)
    }

    @Sendable func end(_ result: Result<Void, any Error>) {
        self.result = result
        body = nil
        done.signal()
    }

    /// Waits for the end. The queue and the deadlines of statements limit the time.
    func value() throws -> Value {
        done.wait()
        try result.get()
        guard let returned else { throw SQLError(.closed) }
        return returned
    }
}

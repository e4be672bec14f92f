import Dispatch
import Foundation

/// The bounded queue between the callers of a database and its threads.
///
/// While no thread has a connection and an attempt to connect has failed, jobs are refused at once
/// with the error of that attempt. A thread without a connection takes no jobs, so it doesn't fail
/// those that another thread could run.
final class PostgreSQLQueue: @unchecked Sendable {
    // Unchecked: the variables are accessed only while `condition` is locked.
    private let condition = NSCondition()
    private let limit: Int
    private var jobs: [PostgreSQLJob] = []
    private var isClosing = false
    private var hasTimer = false
    /// The number of threads that have not ended.
    private var threads: Int
    /// The number of threads that have a connection.
    private var connected = 0
    /// The error of the last attempt to connect, while no thread has a connection.
    private var failure: SQLError?
    /// Wakes threads that wait before another attempt to connect, once for each thread.
    private let closing = DispatchSemaphore(value: 0)

    init(limit: Int, threads: Int) { (self.limit, self.threads) = (limit, threads) }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    /// Appends a job, or refuses it.
    func submit(_ job: PostgreSQLJob) {
        let error = locked { () -> SQLError? in
            if isClosing { return SQLError(.closed) }
            if let failure { return failure }
            if jobs.count >= limit { return SQLError(.overloaded) }
            jobs.append(job)
            startTimer()
            condition.signal()
            return nil
        }
        if let error { job.refuse(error) }
    }

    /// Puts a job that hasn't begun back in front of the others, or refuses it with `error` if its
    /// deadline has passed.
    func putBack(_ job: PostgreSQLJob, _ error: SQLError) {
        let isLate = job.deadline <= .now
        if isLate { return job.refuse(error) }
        locked {
            jobs.insert(job, at: 0)
            startTimer()
            condition.signal()
        }
    }

    /// Waits for a job and returns it; nil if the queue is closed and empty.
    func next() -> PostgreSQLJob? {
        locked {
            while jobs.isEmpty && !isClosing { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}

// MARK: - Deadlines

extension PostgreSQLQueue {
    /// Starts a timer for the first job, unless one is running. The jobs have the same time to
    /// wait, so the first one's deadline is the earliest.
    private func startTimer() {
        guard !hasTimer, let first = jobs.first else { return }
        hasTimer = true
        let seconds = max(ContinuousClock.now.duration(to: first.deadline) / .seconds(1), 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.refuseLateJobs()
        }
    }

    private func refuseLateJobs() {
        let late = locked {
            hasTimer = false
            let now = ContinuousClock.now
            let late = jobs.prefix { $0.deadline <= now }
            jobs.removeFirst(late.count)
            startTimer()
            return late
        }
        let error = SQLError(.overloaded, detail: "The transaction was in it for too long.")
        for job in late { job.refuse(error) }
    }
}

// MARK: - Connections

extension PostgreSQLQueue {
    /// Records that a thread has a connection.
    func didConnect() {
        locked {
            connected += 1
            failure = nil
        }
    }

    /// Records that a thread has lost its connection.
    func didDisconnect() { locked { connected -= 1 } }

    /// Records that a thread couldn't connect. If no other thread has a connection, all jobs are
    /// refused.
    func didFail(_ error: SQLError) {
        let refused = locked { () -> [PostgreSQLJob] in
            guard connected == 0 else { return [] }
            failure = error
            defer { jobs = [] }
            return jobs
        }
        for job in refused { job.refuse(error) }
    }

    /// Waits before another attempt to connect.
    ///
    /// - Returns: Whether to make it. False if the queue is closed.
    func pause(_ delay: Duration) -> Bool {
        _ = closing.wait(timeout: .now() + max(delay / .seconds(1), 0))
        return !locked { isClosing }
    }
}

// MARK: - Closing

extension PostgreSQLQueue {
    /// Refuses further jobs and lets the threads end when the queue is empty.
    func close() {
        locked {
            guard !isClosing else { return }
            isClosing = true
            for _ in 0..<threads { closing.signal() }
            condition.broadcast()
        }
    }

    /// Waits until all threads have ended.
    func waitForThreads() {
        locked { while threads > 0 { condition.wait() } }
    }

    /// Records that a thread ends. The last one refuses what is left.
    func didEnd() {
        let left = locked { () -> [PostgreSQLJob] in
            threads -= 1
            condition.broadcast()
            guard threads == 0 else { return [] }
            defer { jobs = [] }
            return jobs
        }
        for job in left { job.refuse(SQLError(.closed)) }
    }
}

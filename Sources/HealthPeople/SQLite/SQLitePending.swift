import Dispatch
import Foundation

/// The transactions of a database that were accepted and have not ended.
///
/// After ``close()``, the end of the last one closes the connections.
final class SQLitePending: @unchecked Sendable {
    // Unchecked: the variables are accessed only while `condition` is locked.
    private let condition = NSCondition()
    private let closeConnections: @Sendable () -> Void
    private var count = 0
    private var state = State.open

    /// The number of transactions that are accepted at a time.
    static let limit = 256

    private enum State {
        case open
        /// No transaction is accepted.
        case closing
        /// The connections are being closed.
        case ending
        case closed
    }

    init(closeConnections: @escaping @Sendable () -> Void) {
        self.closeConnections = closeConnections
    }

    private func locked<Value>(_ body: () throws(SQLError) -> Value) throws(SQLError) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    /// Accepts a transaction, or refuses it.
    func begin() throws(SQLError) {
        try locked { () throws(SQLError) in
            guard state == .open else { throw SQLError(.closed) }
            guard count < Self.limit else { throw SQLError(.overloaded) }
            count += 1
        }
    }

    /// Records the end of a transaction.
    func end() {
        condition.lock()
        count -= 1
        condition.unlock()
        closeIfIdle()
    }

    /// Refuses further transactions.
    func close() {
        condition.lock()
        if state == .open { state = .closing }
        condition.unlock()
        closeIfIdle()
    }

    /// Waits until the connections are closed.
    func waitUntilClosed() {
        condition.lock()
        while state != .closed { condition.wait() }
        condition.unlock()
    }

    private func closeIfIdle() {
        condition.lock()
        let isLast = state == .closing && count == 0
        if isLast { state = .ending }
        condition.unlock()
        guard isLast else { return }
        // A transaction ends on the queue of a connection, where it can't be closed.
        Thread { [self] in
            closeConnections()
            condition.lock()
            state = .closed
            condition.broadcast()
            condition.unlock()
        }.start()
    }
}

/// The loop of one thread of a database: it keeps a connection and runs jobs on it.
struct PostgreSQLWorker: Sendable {
    let address: PostgreSQLAddress
    let settings: PostgreSQLSettings
    let queue: PostgreSQLQueue

    /// Runs jobs until the queue is closed and empty.
    func run() {
        var failures = 0
        while let connection = connect(&failures) {
            queue.didConnect()
            let end = work(on: connection)
            queue.didDisconnect()
            switch end {
            case .closed: return queue.didEnd()
            case .replaced: failures = 0
            case .refused(let error):
                failures += 1
                queue.didFail(error)
                guard queue.pause(settings.backoff.delay(afterFailures: failures)) else {
                    return queue.didEnd()
                }
            }
        }
        queue.didEnd()
    }

    /// Connects, with as many attempts as necessary; returns nil if the queue was closed meanwhile.
    private func connect(_ failures: inout Int) -> PostgreSQLConnection? {
        while true {
            do throws(SQLError) {
                return try PostgreSQLConnection.open(address, settings)
            } catch {
                failures += 1
                queue.didFail(error)
                let delay = settings.backoff.delay(afterFailures: failures)
                guard queue.pause(delay) else { return nil }
            }
        }
    }

    /// Why a connection isn't used any more.
    private enum End {
        case closed
        /// It was lost or isn't in a known state.
        case replaced
        /// It was lost before its first transaction, soon after it was established.
        case refused(SQLError)
    }

    private func work(on connection: PostgreSQLConnection) -> End {
        while let job = queue.next() {
            switch job.run(connection) {
            case .finished: break
            case .notBegun(let error) where connection.isProven:
                queue.putBack(job, error)
            case .notBegun(let error):
                job.refuse(error)
                return .refused(error)
            }
            if !connection.isUsable || connection.isInTransaction { return .replaced }
        }
        return .closed
    }
}

import CPostgreSQL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Waits for the socket of a connection, with a deadline.
///
/// libpq's blocking calls have none: they would wait forever for a server that is stopped, whose
/// kernel still acknowledges.
struct PostgreSQLSocket {
    /// What to wait for.
    struct Events: OptionSet {
        let rawValue: Int16
        static let readable = Events(rawValue: Int16(POLLIN))
        static let writable = Events(rawValue: Int16(POLLOUT))
    }

    /// What has happened.
    enum Outcome {
        case ready
        /// `slice` has passed; the deadline hasn't.
        case slice
        case deadline
        case failed
    }

    let connection: OpaquePointer

    /// Waits until the socket is ready, `slice` has passed, or the deadline has.
    ///
    /// - Parameters:
    ///   - events: What to wait for.
    ///   - deadline: When to stop.
    ///   - slice: The longest wait.
    /// - Returns: What has happened.
    func wait(
        for events: Events, until deadline: ContinuousClock.Instant,
        slice: Duration = .milliseconds(1000)
    ) -> Outcome {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return .deadline }
        var descriptor = pollfd(
            fd: PQsocket(connection), events: events.rawValue, revents: 0)
        guard descriptor.fd >= 0 else { return .failed }
        // Rounded up, so that the last wait isn't a loop of waits of 0 ms.
        let milliseconds = (min(left, slice) / .milliseconds(1)).rounded(.up)
        let count = poll(&descriptor, 1, Int32(exactly: milliseconds) ?? 1000)
        if count > 0 { return .ready }
        return count == 0 || errno == EINTR ? .slice : .failed
    }
}

#if Server
    import NIOCore
    import Synchronization

    /// Closes a connection on which nothing arrives for some time.
    ///
    /// A timer for each part of a body would be one task for every few kilobytes. This one checks
    /// at intervals of the time whether anything has arrived, so that up to twice the time can
    /// pass.
    struct StallWatch {
        private final class Count: Sendable {
            let parts = Atomic<Int>(0)
        }

        private let count = Count()
        private let task: Task<Void, any Error>

        /// - Parameters:
        ///   - timeout: The time without data.
        ///   - channel: The connection.
        init(_ timeout: Duration, _ channel: any Channel) {
            task = Task { [count] in
                var seen = 0
                while true {
                    try await Task.sleep(for: timeout)
                    let now = count.parts.load(ordering: .relaxed)
                    if now == seen {
                        channel.close(promise: nil)
                        return
                    }
                    seen = now
                }
            }
        }

        /// Records that data has arrived.
        func note() { count.parts.wrappingAdd(1, ordering: .relaxed) }

        /// Ends the watch.
        func cancel() { task.cancel() }
    }
#endif

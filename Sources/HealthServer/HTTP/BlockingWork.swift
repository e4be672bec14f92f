import Dispatch

/// Runs blocking work, such as writes to a file, on threads of its own, because a thread of the
/// cooperative pool must not block.
package struct BlockingWork: Sendable {
    package enum Order: Sendable { case serial, concurrent }

    private let queue: DispatchQueue

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - name: The queue's name for debuggers.
    ///   - order: Whether one piece of work runs at a time.
    package init(_ name: String, _ order: Order) {
        queue = DispatchQueue(
            label: "org.openhealthkit." + name, qos: .userInitiated,
            attributes: order == .concurrent ? .concurrent : [])
    }

    /// Runs `body` and returns its result. It runs to its end even if the task is cancelled.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

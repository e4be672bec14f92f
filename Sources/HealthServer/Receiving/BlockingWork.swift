import Dispatch

/// Runs blocking work, such as writes to a file, on threads of its own, because a thread of the
/// cooperative pool must not block.
struct BlockingWork: Sendable {
    enum Order { case serial, concurrent }

    private let queue: DispatchQueue

    /// - Parameters:
    ///   - name: The queue's name for debuggers.
    ///   - order: Whether one piece of work runs at a time.
    init(_ name: String, _ order: Order) {
        queue = DispatchQueue(
            label: "org.openhealthkit." + name, qos: .userInitiated,
            attributes: order == .concurrent ? .concurrent : [])
    }

    /// Runs `body` and returns its result. It runs to its end even if the task is cancelled.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

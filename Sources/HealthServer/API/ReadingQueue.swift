import Dispatch

/// Runs blocking reads one after another on a thread that doesn't belong to the cooperative pool.
///
/// A store's calls run one at a time anyway, and a long one must not take a thread from the tasks
/// that serve other requests.
package struct ReadingQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue.
    ///
    /// - Parameter label: The name in debuggers.
    package init(_ label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    /// Runs a body and returns its result.
    ///
    /// - Throws: Errors of `body`.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

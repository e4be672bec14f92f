import Foundation
import Synchronization

/// A gate that opens once.
final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    /// Waits in the body of a transaction, which may block its thread.
    func block() {
        for _ in 0..<3000 where !isOpen.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
    }

    /// Waits in a test, which must not block a thread of the cooperative pool.
    func wait() async throws {
        for _ in 0..<3000 where !isOpen.withLock({ $0 }) {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

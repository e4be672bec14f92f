import Foundation

/// Values from a handler, which a test awaits one after another.
final class Received<Value: Sendable>: @unchecked Sendable {  // protected by a lock
    struct ReceiveTimeout: Error, CustomStringConvertible {
        let seconds: Double
        var description: String { "Nothing was received within \(seconds) seconds." }
    }

    private let lock = NSLock()
    private var values: [Value] = []
    private var nextIndex = 0
    private var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    private var lastNumber = 0

    /// Adds a value.
    func callAsFunction(_ value: Value) {
        let waiter = lock.withLock { () -> CheckedContinuation<Value, any Error>? in
            values.append(value)
            guard let first = waiting.keys.min() else { return nil }
            nextIndex += 1
            return waiting.removeValue(forKey: first)
        }
        waiter?.resume(returning: value)
    }

    /// The number of values so far.
    var count: Int { lock.withLock { values.count } }

    /// All values so far.
    var all: [Value] { lock.withLock { values } }

    /// Returns the next value that hasn't been returned yet, waiting if necessary.
    func next(within seconds: Double = 20) async throws -> Value {
        let deadline = Task { [weak self] in
            try await Task.sleep(for: .seconds(seconds))
            self?.cancelRequest(seconds)
        }
        defer { deadline.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            let ready = lock.withLock { () -> Value? in
                guard nextIndex < values.count else {
                    lastNumber += 1
                    waiting[lastNumber] = continuation
                    return nil
                }
                nextIndex += 1
                return values[nextIndex - 1]
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    private func cancelRequest(_ seconds: Double) {
        let waiters = lock.withLock { () -> [CheckedContinuation<Value, any Error>] in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
        for waiter in waiters { waiter.resume(throwing: ReceiveTimeout(seconds: seconds)) }
    }
}

/// Waits until a condition is true, checking every few milliseconds.
func waitUntil(
    within seconds: Double = 20, _ condition: @escaping @Sendable () -> Bool
) async throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while !condition() {
        guard Date() < end else { throw Received<Bool>.ReceiveTimeout(seconds: seconds) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

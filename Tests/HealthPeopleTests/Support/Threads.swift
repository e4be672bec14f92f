import Foundation

/// Runs a body on a thread of its own and returns its value. The test's thread isn't blocked.
func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// Runs a body on several threads at the same time and returns when all have ended.
func onThreads(
    _ count: Int, _ body: @escaping @Sendable (_ number: Int) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count { group.addTask { try await onThread { try body(number) } } }
        try await group.waitForAll()
    }
}

/// Runs a body on another thread and blocks until it has ended: for the body of a transaction,
/// which may not begin another one on its own thread.
func blockingOnThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    // Unchecked by the compiler: written before the signal and read after it.
    nonisolated(unsafe) var result: Result<Void, any Error> = .success(())
    Thread {
        result = Result { try body() }
        done.signal()
    }.start()
    done.wait()
    try result.get()
}

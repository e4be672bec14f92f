import Dispatch
import Synchronization

/// Waits for asynchronous work; commands begin on a thread that has nothing else to do.
func awaited<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value
{
    let outcome = Mutex<Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outcome.withLock { $0 = result }
        done.signal()
    }
    done.wait()
    guard let result = outcome.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
}

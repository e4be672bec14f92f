import Foundation

// Executing writes, and calling the handlers of an app.
extension HKHealthStore {
    /// Calls a handler of the app asynchronously, on a background queue, with this handle's app as
    /// the current app.
    func handle(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { [identity] in
            AppIdentity.withCurrent(identity, body)
        }
    }

    /// Enqueues a write on the store's serial queue for writes, after the earlier writes of this
    /// process. Calls the completion handler on a background queue.
    func write(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable (HKHealthStore) throws -> Void
    ) {
        connection.writeQueue.async { [self] in
            let error: (any Error)?
            do {
                try AppIdentity.withCurrent(identity) { try body(self) }
                error = nil
            } catch let failure {
                error = HKError(reporting: failure)
            }
            handle { completion(error == nil, error) }
        }
    }

    /// Awaits a call whose completion handler receives success or an error.
    func awaitSuccess(
        _ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
    ) async throws {
        let _: Void = try await awaitValue { done in call { done($0 ? () : nil, $1) } }
    }

    /// Awaits a call whose completion handler receives a value or an error. Later calls of the
    /// handler have no effect. If the call releases its completion handler without calling it, this
    /// throws an error.
    func awaitValue<Value: Sendable>(
        _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let pending = PendingResult(continuation)
            call { value, error in
                if let error {
                    pending.resume(with: .failure(error))
                } else if let value {
                    pending.resume(with: .success(value))
                } else {
                    pending.resume(
                        with: .failure(
                            HKError(.unknownError, "The call failed without a reason.")))
                }
            }
        }
    }
}

/// A pending continuation, resumed by the first result. Resumes with an error if it is released
/// without a result.
private final class PendingResult<Value: Sendable>: Sendable {
    private let continuation: Locked<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) {
        self.continuation = Locked(continuation)
    }

    deinit { resume(with: .failure(HKError(.unknownError, "The call ended without a result."))) }

    func resume(with result: Result<Value, any Error>) {
        continuation.exchange(nil)?.resume(with: result)
    }
}

extension HKError {
    /// The error for a feature of Apple's devices that is not available here.
    static func unavailable(_ feature: String) -> HKError {
        HKError(.errorHealthDataUnavailable, "\(feature) is not available on this platform.")
    }
}

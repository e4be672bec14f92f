import Foundation

// How calls reach the store, and how answers reach the app.
extension HKHealthStore {
    /// Runs an app's handler: on a background queue, after the call that it was given to.
    func handle(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { [identity] in
            AppIdentity.withCurrent(identity, body)
        }
    }

    /// Changes the store after all earlier changes of the process, and tells how it went.
    func write(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable (HKHealthStore) throws -> Void
    ) {
        connection.writing.async { [self] in
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

    /// Waits for a call that tells success or an error.
    func succeeding(
        _ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
    ) async throws {
        let _: Void = try await value { done in call { done($0 ? () : nil, $1) } }
    }

    /// Waits for a call that tells a value or an error. What it tells a second time is dropped; one
    /// that lets go of its completion handler without calling it has failed.
    func value<Value: Sendable>(
        _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let reply = Reply(continuation)
            call { value, error in
                if let error {
                    reply.give(.failure(error))
                } else if let value {
                    reply.give(.success(value))
                } else {
                    reply.give(
                        .failure(
                            HKError(.unknownError, "The call failed and said no reason.")))
                }
            }
        }
    }
}

/// Somebody who waits for an answer. The first one counts; none at all is an error.
private final class Reply<Value: Sendable>: Sendable {
    private let waiting: Locked<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) {
        waiting = Locked(continuation)
    }

    deinit { give(.failure(HKError(.unknownError, "The call ended without an answer."))) }

    func give(_ answer: Result<Value, any Error>) {
        waiting.exchange(nil)?.resume(with: answer)
    }
}

extension HKError {
    /// What Apple's devices have and this doesn't.
    static func absent(_ what: String) -> HKError {
        HKError(.errorHealthDataUnavailable, "\(what) is not available on this platform.")
    }
}

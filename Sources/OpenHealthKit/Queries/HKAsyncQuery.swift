import Foundation

/// A query that is awaited for a single result.
public protocol HKAsyncQuery {
    /// The type of the result.
    associatedtype Output

    /// Executes the query. Cancelling the task stops the query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The result.
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    func result(for healthStore: HKHealthStore) async throws -> Output
}

/// A query that returns a sequence of results.
public protocol HKAsyncSequenceQuery {
    /// The sequence of results.
    associatedtype Sequence: AsyncSequence

    /// Returns a sequence that executes the query when it is iterated. Cancelling the task or
    /// releasing the iterator stops the query (Semantics §6.10).
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The results. For a query that keeps running, the first element is the initial
    ///   result.
    func results(for healthStore: HKHealthStore) -> Sequence
}

/// The first result of a query, for which one task can wait.
private final class OneShotQueryResult<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case ready(Result<Value, any Error>)
        case done
    }

    private let state = Locked<State>(.idle)

    /// Sets the result and resumes the waiting task, if there is one. Later calls have no effect.
    func deliver(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state { state in
            switch state {
            case .idle:
                state = .ready(result)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .ready, .done: return nil
            }
        }
        waiting?.resume(with: result)
    }

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let ready: Result<Value, any Error>? = state { state in
            guard case .ready(let result) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .done
            return result
        }
        if let ready { continuation.resume(with: ready) }
    }
}

extension HKHealthStore {
    /// Executes a query and waits for its result.
    ///
    /// - Parameter make: Creates the query; its handler must call `deliver`.
    /// - Returns: The value of the first result that was passed to `deliver`.
    /// - Throws: The error that was passed to `deliver`. `CancellationError` if the task is
    ///   cancelled, which stops the query.
    func awaitResult<Value: Sendable>(
        of make: (_ deliver: @escaping @Sendable (Result<Value, any Error>) -> Void) -> HKQuery
    ) async throws -> Value {
        let result = OneShotQueryResult<Value>()
        let query = make { result.deliver($0) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                result.wait(continuation)
                if !Task.isCancelled { startQuery(query) }
            }
        } onCancel: {
            stopQuery(query)
            result.deliver(.failure(CancellationError()))
        }
    }

    /// Returns the results of a query that calls its handlers several times as a sequence.
    ///
    /// The query is executed when an iterator is created. It is stopped when the iterator is
    /// released or the task is cancelled. The sequence keeps the store open.
    ///
    /// - Parameter make: Creates the query; its handlers yield to the continuation and finish it.
    func resultSequence<Element>(
        of make: @escaping (AsyncThrowingStream<Element, any Error>.Continuation) -> HKQuery
    ) -> QueryResultSequence<Element> {
        QueryResultSequence(store: self, make: make)
    }
}

/// The results of a query as an asynchronous sequence; each iterator executes a new query.
struct QueryResultSequence<Element> {
    fileprivate let store: HKHealthStore
    fileprivate let make: (AsyncThrowingStream<Element, any Error>.Continuation) -> HKQuery

    typealias Iterator = AsyncThrowingStream<Element, any Error>.Iterator

    func makeIterator() -> Iterator {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self)
        let query = make(continuation)
        continuation.onTermination = { [store] _ in store.stopQuery(query) }
        store.startQuery(query)
        return stream.makeAsyncIterator()
    }
}

extension AsyncThrowingStream.Continuation where Failure == any Error {
    /// Yields an element. Without an element, finishes with the error. Does nothing if both are
    /// nil.
    func yield(_ element: sending Element?, _ error: (any Error)?) {
        if let element {
            yield(element)
        } else if let error {
            finish(throwing: error)
        }
    }
}

extension Result where Failure == any Error {
    /// Creates a result from the arguments of a handler. If both are nil, it is a failure of code
    /// `unknownError`.
    init(_ value: Success?, _ error: (any Error)?) {
        if let value {
            self = .success(value)
        } else {
            self = .failure(
                error ?? HKError(.unknownError, "The query returned neither results nor an error."))
        }
    }
}

import Foundation

/// The one answer that a Swift descriptor waits for.
private final class QueryAnswer<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case done
    }

    private let state = Locked<State>(.idle)

    /// The first answer counts.
    func give(_ answer: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state { state in
            switch state {
            case .idle:
                state = .given(answer)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .given, .done: return nil
            }
        }
        waiting?.resume(with: answer)
    }

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let given: Result<Value, any Error>? = state { state in
            guard case .given(let answer) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .done
            return answer
        }
        if let given { continuation.resume(with: given) }
    }
}

extension HKHealthStore {
    /// Executes a query and waits for its answer.
    ///
    /// - Parameter make: Makes the query, whose handler calls `give` once.
    /// - Throws: What `give` was given; `CancellationError` if the task was cancelled, which stops the
    ///   query.
    func answer<Value: Sendable>(
        of make: (_ give: @escaping @Sendable (Result<Value, any Error>) -> Void) -> HKQuery
    ) async throws -> Value {
        let answer = QueryAnswer<Value>()
        let query = make { answer.give($0) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.wait(continuation)
                if !Task.isCancelled { startQuery(query) }
            }
        } onCancel: {
            stopQuery(query)
            answer.give(.failure(CancellationError()))
        }
    }

    /// What a long-running query tells, element after element.
    ///
    /// The query is executed when iteration begins; it is stopped when the iterator goes or the
    /// task is cancelled. The store stays open meanwhile.
    ///
    /// - Parameter make: Makes the query, whose handlers yield to the continuation and finish it.
    func answers<Element>(
        of make: @escaping (AsyncThrowingStream<Element, any Error>.Continuation) -> HKQuery
    ) -> QueryAnswers<Element> {
        QueryAnswers(store: self, make: make)
    }
}

/// A query's answers as an asynchronous sequence; each iteration executes a query of its own.
struct QueryAnswers<Element> {
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
    /// Hands over an element, or ends with what went wrong.
    func yield(_ element: sending Element?, _ error: (any Error)?) {
        if let element {
            yield(element)
        } else if let error {
            finish(throwing: error)
        }
    }
}

extension Result where Failure == any Error {
    /// What a handler was called with: the value, or what went wrong.
    init(_ value: Success?, _ error: (any Error)?) {
        if let value {
            self = .success(value)
        } else {
            self = .failure(
                error ?? HKError(.unknownError, "The query answered neither data nor an error."))
        }
    }
}

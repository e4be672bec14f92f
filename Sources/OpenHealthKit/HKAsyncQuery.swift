/// A query that is awaited for its one answer.
public protocol HKAsyncQuery {
    /// What it answers.
    associatedtype Output

    /// Asks a store; cancelling the task stops the query.
    func result(for healthStore: HKHealthStore) async throws -> Output
}

/// A query that goes on answering.
public protocol HKAsyncSequenceQuery {
    /// What it answers, one after another.
    associatedtype Sequence: AsyncSequence

    /// Asks a store. The first element is the initial result; cancelling the task or letting the
    /// iterator go stops the query (Semantics §6.10).
    func results(for healthStore: HKHealthStore) -> Sequence
}

public import Foundation
import HealthEngine
import HealthStorage

/// A query for the stored activity summaries, at most one for each day, in chronological order
/// (Semantics §10.1).
///
/// With an ``updateHandler``, which must be set before the query is executed, the query keeps
/// running and delivers matching days that are added or changed. The removal of a day is not
/// delivered.
// `@unchecked Sendable`: all stored properties are immutable except for the handlers and the last
// results, which are locked.
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void

    private let handler: QueryHandler<Handler>
    private let updates = QueryHandler<Handler>(nil)
    private let reported = Locked<[String: ActivitySummary]>([:])

    /// Creates a query for activity summaries.
    ///
    /// - Parameters:
    ///   - predicate: Which days to return; nil for all.
    ///   - handler: Called once on a background queue, with the first results or an error.
    @preconcurrency
    public required init(
        predicate: NSPredicate?,
        resultsHandler handler:
            @escaping @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void
    ) {
        self.handler = QueryHandler(handler)
        super.init(_objectType: .activitySummaryType(), predicate: predicate)
    }

    /// Called on a background queue after the first results, with the added and changed days or an
    /// error.
    @preconcurrency
    open var updateHandler:
        (@Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void)?
    {
        get { updates.current }
        set { updates.current = newValue }
    }

    override var isLongRunning: Bool { updates.current != nil }

    override func run(_ execution: QueryExecution) throws {
        let summaries = try changed(execution)
        execution.deliver { handler.current?(self, summaries, nil) }
    }

    override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {
        guard change.affects(.activitySummaryType()) else { return }
        let summaries = try changed(execution)
        if summaries.isEmpty { return }
        execution.deliver { updates.current?(self, summaries, nil) }
    }

    /// Returns the matching days that differ from earlier results; on the first call, all matching
    /// days.
    private func changed(_ execution: QueryExecution) throws -> [HKActivitySummary] {
        let now = try execution.activitySummaries(super.predicate)
        let before = reported { reported in
            defer { for summary in now { reported[summary.date] = summary } }
            return reported
        }
        return now.filter { before[$0.date] != $0 }.map(HKActivitySummary.init(_summary:))
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }

    override func reportUpdate(_ error: HKError) { updates.current?(self, nil, error) }

    override func releaseHandlers() {
        handler.current = nil
        updates.current = nil
    }
}

extension QueryExecution {
    /// Returns the matching days in chronological order. Of several rows for one day, the last
    /// saved row is returned.
    fileprivate func activitySummaries(_ predicate: NSPredicate?) throws -> [ActivitySummary] {
        let type = HKObjectType.activitySummaryType()
        guard let row = type.row else { return [] }
        let filter = try filter(predicate, for: type, store: openStore)
        let stored = try connection.readableStore.objects(
            [SampleRequest(row, filter)], visibility: try visibility(of: [type]))
        var days: [String: (summary: ActivitySummary, sequence: Int64)] = [:]
        for index in 0..<stored.count {
            guard case .activitySummary(let summary) = stored.batch.details[index] else { continue }
            let sequence = stored.batch.samples[index].sequence
            if let known = days[summary.date], known.sequence > sequence { continue }
            days[summary.date] = (summary, sequence)
        }
        return days.values.map(\.summary).sorted { $0.date < $1.date }
    }
}

/// A query descriptor for activity summaries.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
    /// Which days to return; nil for all.
    public var predicate: NSPredicate?

    /// Creates a query descriptor.
    ///
    /// - Parameter predicate: Which days to return; nil for all.
    public init(predicate: NSPredicate?) { self.predicate = predicate }

    /// Executes the query once.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The matching days in chronological order.
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
        let predicate = SendablePredicate(value: predicate)
        return try await healthStore.awaitResult { deliver in
            HKActivitySummaryQuery(predicate: predicate.value) { _, summaries, error in
                deliver(Result(summaries, error))
            }
        }
    }

    /// Executes the query and observes changes. Releasing the iterator stops the query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence of the matching days, followed by the days that are added or changed.
    public func results(for healthStore: HKHealthStore) -> Results {
        let predicate = SendablePredicate(value: predicate)
        return Results(
            sequence: healthStore.resultSequence { continuation in
                let query = HKActivitySummaryQuery(predicate: predicate.value) {
                    continuation.yield($1, $2)
                }
                query.updateHandler = { continuation.yield($1, $2) }
                return query
            })
    }

    /// A sequence of the matching days, followed by the days that are added or changed.
    public struct Results: AsyncSequence {
        /// The summaries of some days.
        public typealias Element = [HKActivitySummary]
        let sequence: QueryResultSequence<[HKActivitySummary]>

        /// An iterator, which executes a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: QueryResultSequence<[HKActivitySummary]>.Iterator
            /// Waits for the next result.
            ///
            /// - Returns: The next result; nil once the task is cancelled.
            /// - Throws: ``HKError``.
            public mutating func next() async throws -> [HKActivitySummary]? {
                try await base.next()
            }
        }

        /// Executes the query.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(base: sequence.makeIterator()) }
    }
}

public import Foundation
import HealthEngine
import HealthStorage

/// Asks for the rings of days, one summary a day, in order of days (Semantics §10.1).
///
/// With an ``updateHandler`` the query goes on, and hands over the days that changed. Set it before
/// the query is executed.
// Immutable but for the locked handlers and what was last told.
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void

    private let handler: QueryHandler<Handler>
    private let updates = QueryHandler<Handler>(nil)
    private let told = Locked<[String: ActivitySummary]>([:])

    /// Asks for the days that match a predicate, or for all.
    @preconcurrency
    public required init(
        predicate: NSPredicate?,
        resultsHandler handler:
            @escaping @Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void
    ) {
        self.handler = QueryHandler(handler)
        super.init(_objectType: .activitySummaryType(), predicate: predicate)
    }

    /// Called with the days that changed, after the first results.
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
        guard change.concerns(.activitySummaryType()) else { return }
        let summaries = try changed(execution)
        if summaries.isEmpty { return }
        execution.deliver { updates.current?(self, summaries, nil) }
    }

    /// The matching days that aren't as they were last told; at first all.
    private func changed(_ execution: QueryExecution) throws -> [HKActivitySummary] {
        let now = try execution.activitySummaries(super.predicate)
        let before = told { told in
            defer { for summary in now { told[summary.date] = summary } }
            return told
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
    /// The matching days, in order; of several rows of one day the one saved last.
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

/// Asks for the rings of days, once or again and again.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
    /// Which days; nil for all.
    public var predicate: NSPredicate?

    /// Asks for the days that match a predicate, or for all.
    public init(predicate: NSPredicate?) { self.predicate = predicate }

    /// The matching days, in order.
    public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
        let predicate = CollectedPredicate(value: predicate)
        return try await healthStore.answer { give in
            HKActivitySummaryQuery(predicate: predicate.value) { _, summaries, error in
                give(Result(summaries, error))
            }
        }
    }

    /// First the matching days, then those that change. Leaving the iteration stops the query.
    public func results(for healthStore: HKHealthStore) -> Results {
        let predicate = CollectedPredicate(value: predicate)
        return Results(
            answers: healthStore.answers { continuation in
                let query = HKActivitySummaryQuery(predicate: predicate.value) {
                    continuation.yield($1, $2)
                }
                query.updateHandler = { continuation.yield($1, $2) }
                return query
            })
    }

    /// Days as they come in.
    public struct Results: AsyncSequence {
        /// What each step gives.
        public typealias Element = [HKActivitySummary]
        let answers: QueryAnswers<[HKActivitySummary]>

        /// One iteration, with a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: QueryAnswers<[HKActivitySummary]>.Iterator
            /// The next one; nil at the end. Throws what the query reports.
            public mutating func next() async throws -> [HKActivitySummary]? {
                try await base.next()
            }
        }

        /// Executes the query.
        public func makeAsyncIterator() -> Iterator { Iterator(base: answers.makeIterator()) }
    }
}

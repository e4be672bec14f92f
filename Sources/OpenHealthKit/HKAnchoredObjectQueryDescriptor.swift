import Foundation

/// Awaits what was saved and deleted since an anchor, once or again and again, as
/// ``HKAnchoredObjectQuery`` tells it.
// Predicates and anchors are immutable.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: HKAsyncQuery,
    HKAsyncSequenceQuery,
    // Predicates and anchors are immutable.
    @unchecked Sendable
{
    /// Types and predicates; a sample that matches several comes once.
    public var predicates: [HKSamplePredicate<Sample>]
    /// Where the last query stopped; nil for everything in the store.
    public var anchor: HKQueryAnchor?
    /// How many samples at most; nil for all.
    public var limit: Int?

    /// A query from an anchor on.
    public init(
        predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil
    ) {
        self.predicates = predicates
        self.anchor = anchor
        self.limit = limit
    }

    /// What happened between two anchors.
    public struct Result {
        /// Samples saved, in the order of saving.
        public let addedSamples: [Sample]
        /// What was deleted, in the order of deletion.
        public let deletedObjects: [HKDeletedObject]
        /// Where the next query goes on.
        public let newAnchor: HKQueryAnchor

        init(_ page: AnchoredPage) {
            addedSamples = page.added.compactMap { $0 as? Sample }
            deletedObjects = page.deleted
            newAnchor = page.anchor
        }
    }

    /// What happened since the anchor, as far as the limit allows.
    ///
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        let page = try await healthStore.answer { give in
            query { _, samples, deleted, anchor, error in
                give(.init(AnchoredPage(samples, deleted, anchor), error))
            }
        }
        return Result(page)
    }

    /// What happened since the anchor, and then each change after it.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            answers: healthStore.answers { continuation in
                let handler: HKAnchoredObjectQuery.Handler = {
                    continuation.yield(AnchoredPage($1, $2, $3), $4)
                }
                let query = query(handler)
                query.updateHandler = handler
                return query
            })
    }

    private func query(_ handler: @escaping HKAnchoredObjectQuery.Handler)
        -> HKAnchoredObjectQuery
    {
        HKAnchoredObjectQuery(
            queryDescriptors: predicates.map(\.descriptor), anchor: anchor,
            limit: limit ?? HKObjectQueryNoLimit, resultsHandler: handler)
    }

    /// The answers, one after another.
    public struct Results: AsyncSequence {
        public typealias Element = Result

        let answers: QueryAnswers<AnchoredPage>

        /// Executes the query.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: answers.makeIterator()) }

        /// Waits for one answer after another.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryAnswers<AnchoredPage>.Iterator

            /// The next answer; nil once the task is cancelled.
            public mutating func next() async throws -> Result? {
                try await iterator.next().map { Result($0) }
            }
        }
    }
}

extension AnchoredPage {
    /// What a handler was called with; nil beside an error.
    init?(_ added: [HKSample]?, _ deleted: [HKDeletedObject]?, _ anchor: HKQueryAnchor?) {
        guard let added, let deleted, let anchor else { return nil }
        self.init(added: added, deleted: deleted, anchor: anchor)
    }
}

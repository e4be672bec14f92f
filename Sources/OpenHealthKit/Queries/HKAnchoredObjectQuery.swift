public import Foundation
import HealthEngine
import HealthStorage

/// The anchor value before the first change, for ``HKQueryAnchor/init(fromValue:)``.
public var HKAnchoredObjectQueryNoAnchor: Int32 { 0 }

/// A query for the samples saved and deleted since an anchor. With an `updateHandler`, it keeps
/// running and delivers later changes.
///
/// Samples are returned in the order in which they were saved. For a sample that was added and
/// deleted since the anchor, only the tombstone is returned. A sample replaced through its sync
/// identifier is returned together with the tombstone of the old sample (Semantics §6.5).
///
/// By default, the limit applies to samples, and tombstones have a limit of their own
/// (``HealthStoreConfiguration/TombstoneLimit``). Request pages until one contains neither samples
/// nor tombstones (Semantics §6.4).
///
/// A deletion matches a predicate if the sample would have matched. Conditions on data that a
/// tombstone does not keep, such as the value, count as true (Semantics §6.3).
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {  // mutable state is locked
    /// A handler that receives the query, the added samples, the deleted objects, the new anchor
    /// and an error.
    public typealias Handler =
        @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let limit: Int
    private let handler: QueryHandler<Handler>
    private let updates = QueryHandler<Handler>(nil)
    /// The position up to which the query has read changes; before the first results, the given
    /// anchor.
    private let anchor: Locked<HKQueryAnchor?>
    /// The tracker of this query's read, and the number of the read, while it is in progress. Nil
    /// unless an observer's handler executed the query, and for a query with an `updateHandler`.
    private let readInProgress = Locked<(tracker: AnchorReadTracker, number: Int)?>(nil)

    /// Creates a query for one type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - predicate: Which samples and deletions to return; nil for all.
    ///   - anchor: The anchor that the last query returned; nil for all data in the store.
    ///   - limit: The maximum number of samples; ``HKObjectQueryNoLimit`` for no limit.
    ///   - handler: Called once on a background queue, with the first results or an error.
    @preconcurrency
    public required init(
        type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
        self.limit = limit
        self.anchor = Locked(anchor)
        self.handler = QueryHandler(handler)
        super.init(_objectType: type, predicate: predicate)
    }

    /// Creates a query for several types with one anchor and one limit. A sample that matches
    /// several descriptors is returned once.
    ///
    /// - Parameters:
    ///   - queryDescriptors: The types and predicates; at least one.
    ///   - anchor: The anchor that the last query returned; nil for all data in the store.
    ///   - limit: The maximum number of samples; ``HKObjectQueryNoLimit`` for no limit.
    ///   - handler: Called once on a background queue, with the first results or an error.
    @preconcurrency
    public required init(
        queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
    ) {
        descriptors = queryDescriptors
        self.limit = limit
        self.anchor = Locked(anchor)
        self.handler = QueryHandler(handler)
        super.init(
            _objectType: queryDescriptors.onlyType, predicate: queryDescriptors.onlyPredicate)
    }

    /// Creates a query for one type with an integer as its anchor.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - predicate: Which samples to return; nil for all.
    ///   - anchor: The anchor's value, as ``HKQueryAnchor/init(fromValue:)`` takes it.
    ///   - limit: The maximum number of samples; ``HKObjectQueryNoLimit`` for no limit.
    ///   - handler: Called once on a background queue, with the added samples and the new anchor's
    ///     value, or with the given value and an error.
    @available(*, deprecated, message: "Use init(type:predicate:anchor:limit:resultsHandler:)")
    @preconcurrency
    public required init(
        type: HKSampleType, predicate: NSPredicate?, anchor: Int, limit: Int,
        completionHandler handler:
            @escaping @Sendable (HKAnchoredObjectQuery, [HKSample]?, Int, (any Error)?) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
        self.limit = limit
        self.anchor = Locked(HKQueryAnchor(fromValue: anchor))
        self.handler = QueryHandler { query, samples, _, newAnchor, error in
            handler(query, samples, newAnchor.map { Int($0.number) } ?? anchor, error)
        }
        super.init(_objectType: type, predicate: predicate)
    }

    /// Called on a background queue with later saves and deletions that match, and a new anchor, or
    /// with an error. Changes in quick succession can arrive in one call. Set the handler before
    /// the query is executed. With a handler, the query runs until it is stopped.
    @preconcurrency
    open var updateHandler:
        (
            @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
        )?
    {
        get { updates.current }
        set { updates.current = newValue }
    }

    override var isLongRunning: Bool { updates.current != nil }

    override var queriedTypes: [HKObjectType] { descriptors.map(\.sampleType) }

    override func begin(_ execution: QueryExecution) {
        guard !isLongRunning, let wake = ObserverWake.current,
            let requests = try? execution.requests(descriptors)
        else { return }
        let read = AnchorReadTracker.ReadInProgress(
            wake: wake, fingerprint: QueryFingerprint(requests), anchor: anchor { $0?.number ?? 0 })
        let tracker = execution.connection.anchorReadTracker
        let number = tracker.begin(read)
        self.readInProgress { $0 = (tracker, number) }
    }

    override func run(_ execution: QueryExecution) throws {
        var changes = 0
        defer { endRead(execution, changes) }
        let page = try execution.page(
            of: descriptors, after: anchor { $0 }, limit: limit)
        anchor { $0 = page.anchor }
        changes = page.added.count + page.deleted.count
        execution.deliver { handler.current?(self, page.added, page.deleted, page.anchor, nil) }
    }

    private func endRead(_ execution: QueryExecution?, _ changes: Int) {
        let ended = readInProgress { readInProgress in
            defer { readInProgress = nil }
            return readInProgress
        }
        guard let ended, ended.tracker.end(ended.number, hasChanges: changes > 0) else { return }
        execution?.connection.diagnostics.record(
            .changesReadTwice(types: descriptors.identifiers, count: changes))
    }

    override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {
        guard descriptors.contains(where: { change.affects($0.sampleType) }) else { return }
        // The limit applies to the first results only; later changes are delivered in full.
        let page = try execution.page(
            of: descriptors, after: anchor { $0 }, limit: HKObjectQueryNoLimit)
        // The anchor advances even if nothing matched, so that the rows are not read again.
        anchor { $0 = page.anchor }
        if page.added.isEmpty, page.deleted.isEmpty { return }
        execution.deliver { updates.current?(self, page.added, page.deleted, page.anchor, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, nil, nil, error) }

    override func reportUpdate(_ error: HKError) {
        updates.current?(self, nil, nil, nil, error)
    }

    override func releaseHandlers() {
        endRead(nil, 0)
        handler.current = nil
        updates.current = nil
    }
}

/// A query descriptor for the changes since an anchor, as ``HKAnchoredObjectQuery`` returns them.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: HKAsyncQuery,
    HKAsyncSequenceQuery,
    // Unchecked: predicates and anchors are immutable.
    @unchecked Sendable
{
    /// The types and predicates; a sample that matches several of them is returned once.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The anchor that the last query returned; nil for all data in the store.
    public var anchor: HKQueryAnchor?
    /// The maximum number of samples; nil for no limit.
    public var limit: Int?

    /// Creates a query descriptor.
    ///
    /// - Parameters:
    ///   - predicates: The types and predicates; at least one.
    ///   - anchor: The anchor that the last query returned; nil for all data in the store.
    ///   - limit: The maximum number of samples; nil for no limit.
    public init(
        predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil
    ) {
        self.predicates = predicates
        self.anchor = anchor
        self.limit = limit
    }

    /// The changes between two anchors.
    public struct Result {
        /// The added samples, in the order in which they were saved.
        public let addedSamples: [Sample]
        /// The deleted objects, in the order of deletion.
        public let deletedObjects: [HKDeletedObject]
        /// The anchor to pass to the next query.
        public let newAnchor: HKQueryAnchor

        init(_ page: AnchoredPage) {
            addedSamples = page.added.compactMap { $0 as? Sample }
            deletedObjects = page.deleted
            newAnchor = page.anchor
        }
    }

    /// Executes the query once.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The changes since the anchor, up to the limit.
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> Result {
        let page = try await healthStore.awaitResult { deliver in
            query { _, samples, deleted, anchor, error in
                deliver(.init(AnchoredPage(samples, deleted, anchor), error))
            }
        }
        return Result(page)
    }

    /// Executes the query and observes changes. Releasing the iterator stops the query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence of the changes since the anchor, up to the limit, followed by later
    ///   changes without a limit.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            sequence: healthStore.resultSequence { continuation in
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

    /// A sequence of the changes since the anchor, followed by later changes.
    public struct Results: AsyncSequence {
        public typealias Element = Result

        let sequence: QueryResultSequence<AnchoredPage>

        /// Executes the query.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: sequence.makeIterator()) }

        /// An iterator, which executes a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryResultSequence<AnchoredPage>.Iterator

            /// Waits for the next result.
            ///
            /// - Returns: The next result; nil once the task is cancelled.
            /// - Throws: ``HKError``.
            public mutating func next() async throws -> Result? {
                try await iterator.next().map { Result($0) }
            }
        }
    }
}

extension AnchoredPage {
    /// Creates a page from the arguments of a handler; nil if one of them is nil, as with an error.
    init?(_ added: [HKSample]?, _ deleted: [HKDeletedObject]?, _ anchor: HKQueryAnchor?) {
        guard let added, let deleted, let anchor else { return nil }
        self.init(added: added, deleted: deleted, anchor: anchor)
    }
}

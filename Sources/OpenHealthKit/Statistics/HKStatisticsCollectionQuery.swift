public import Foundation
import HealthEngine
import HealthStorage

/// A query for statistics of consecutive buckets, such as days, hours or months.
///
/// The boundaries of buckets are computed in calendar components from the anchor date, in both
/// directions. So a day on which the clocks change by an hour has 23 or 25 hours. The value of a
/// cumulative sample across a boundary is divided in proportion to time; a discrete sample belongs
/// to each bucket that it overlaps (Semantics §2.4, §2.8, §5.3–5.5). The calendar is that of
/// `intervalComponents`, otherwise that of the store.
///
/// With a `statisticsUpdateHandler` the query runs until it is stopped. It calls the handler once
/// for each bucket that later saves and deletions changed. Several changes in quick succession can
/// be combined.
open class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {  // mutable state is locked
    private typealias InitialHandler =
        @Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void
    private typealias UpdateHandler =
        @Sendable (
            HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
        ) -> Void

    private let quantityType: HKQuantityType
    private let statisticsOptions: HKStatisticsOptions
    private let anchor: Date
    private let interval: DateComponents
    private let initial = QueryHandler<InitialHandler>(nil)
    private let updates = QueryHandler<UpdateHandler>(nil)
    /// The result that was delivered last, with which the next result is compared.
    private let previous = Locked<CollectionResult?>(nil)

    /// Creates a query for one quantity type.
    ///
    /// - Parameters:
    ///   - quantityType: The type.
    ///   - quantitySamplePredicate: Which samples to include; nil for all.
    ///   - options: The requested values, as for ``HKStatisticsQuery``.
    ///   - anchorDate: A date at which a bucket begins; it can be in the past or the future.
    ///   - intervalComponents: The length of a bucket in years, months, weeks (`weekOfYear`), days,
    ///     hours, minutes and seconds. Other or negative components, and an interval shorter than a
    ///     second, are reported as ``HKError/errorInvalidArgument``.
    public required init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
        options: HKStatisticsOptions = [], anchorDate: Date, intervalComponents: DateComponents
    ) {
        self.quantityType = quantityType
        statisticsOptions = options
        anchor = anchorDate
        interval = intervalComponents
        super.init(_objectType: quantityType, predicate: quantitySamplePredicate)
    }

    /// A date at which a bucket begins.
    open var anchorDate: Date { anchor }
    /// The requested values.
    open var options: HKStatisticsOptions { statisticsOptions }
    /// The length of a bucket, in calendar components.
    open var intervalComponents: DateComponents { interval }

    /// Called once on a background queue, with the whole collection or with an error. Set the
    /// handler before the query is executed.
    @preconcurrency
    open var initialResultsHandler:
        (
            @Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void
        )?
    {
        get { initial.current }
        set { initial.current = newValue }
    }

    /// Called after later saves and deletions, once for each changed bucket, with the bucket and
    /// the whole collection, or with an error. The bucket is nil if it has become empty and the
    /// store omits empty buckets. Without an ``initialResultsHandler``, this handler receives its
    /// error too. Called on a background queue. Set the handler before the query is executed.
    @preconcurrency
    open var statisticsUpdateHandler:
        (
            @Sendable (
                HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
            ) -> Void
        )?
    {
        get { updates.current }
        set { updates.current = newValue }
    }

    override var isLongRunning: Bool { updates.current != nil }

    override func run(_ execution: QueryExecution) throws {
        let result = try currentResult(execution)
        previous { $0 = result }
        let collection = result.collection
        execution.deliver { initial.current?(self, collection, nil) }
    }

    override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {
        guard change.affects(quantityType), let before = previous({ $0 }) else { return }
        let result = try currentResult(execution)
        let changed = result.buckets(changedSince: before)
        if changed.isEmpty { return }
        previous { $0 = result }
        let collection = result.collection
        for start in changed {
            let bucket = collection.statistics(for: Date(timeIntervalSinceReferenceDate: start))
            execution.deliver { updates.current?(self, bucket, collection, nil) }
        }
    }

    private func currentResult(_ execution: QueryExecution) throws -> CollectionResult {
        try execution.collection(
            of: quantityType, matching: super.predicate, statisticsOptions, anchor: anchor,
            every: interval, in: previous { $0?.unit })
    }

    override func report(_ error: HKError) {
        if let handler = initial.current { return handler(self, nil, error) }
        updates.current?(self, nil, nil, error)
    }

    override func reportUpdate(_ error: HKError) { updates.current?(self, nil, nil, error) }

    override func releaseHandlers() {
        initial.current = nil
        updates.current = nil
    }
}

/// A query descriptor for statistics of consecutive buckets, computed as by
/// ``HKStatisticsCollectionQuery``.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
    /// The quantity type and the samples to include.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The requested values.
    public var options: HKStatisticsOptions
    /// A date at which a bucket begins.
    public var anchorDate: Date
    /// The length of a bucket, in calendar components.
    public var intervalComponents: DateComponents

    /// Creates a query descriptor.
    ///
    /// - Parameters:
    ///   - predicate: The quantity type and the samples to include.
    ///   - options: The requested values.
    ///   - anchorDate: A date at which a bucket begins; it can be in the past or the future.
    ///   - intervalComponents: The length of a bucket in calendar components.
    public init(
        predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions,
        anchorDate: Date, intervalComponents: DateComponents
    ) {
        self.predicate = predicate
        self.options = options
        self.anchorDate = anchorDate
        self.intervalComponents = intervalComponents
    }

    /// Executes the query once.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The collection; without buckets if nothing matches.
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
        let query = try makeQuery()
        return try await healthStore.awaitResult { deliver in
            query.initialResultsHandler = { deliver(.init($1, $2)) }
            return query
        }
    }

    /// The collection at the start or after a change, with the changed bucket.
    public struct Result: Sendable {
        /// The whole collection.
        public let statisticsCollection: HKStatisticsCollection
        /// The changed bucket as the only element; nil in the first result. Empty if the bucket has
        /// become empty and the store omits empty buckets.
        public let updatedStatistics: [HKStatistics]?
    }

    /// Executes the query and observes changes.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence of the collection and one further result for each changed bucket.
    ///   Releasing the iterator stops the query.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            sequence: healthStore.resultSequence { continuation in
                do {
                    let query = try makeQuery()
                    query.initialResultsHandler = { _, collection, error in
                        continuation.yield(
                            collection.map {
                                Result(statisticsCollection: $0, updatedStatistics: nil)
                            }, error)
                    }
                    query.statisticsUpdateHandler = { _, bucket, collection, error in
                        continuation.yield(
                            collection.map {
                                Result(
                                    statisticsCollection: $0,
                                    updatedStatistics: bucket.map { [$0] } ?? [])
                            }, error)
                    }
                    return query
                } catch {
                    continuation.finish(throwing: error)
                    return HKQuery(_objectType: nil, predicate: nil)
                }
            })
    }

    private func makeQuery() throws -> HKStatisticsCollectionQuery {
        HKStatisticsCollectionQuery(
            quantityType: try predicate.quantityType,
            quantitySamplePredicate: predicate.nsPredicate, options: options,
            anchorDate: anchorDate, intervalComponents: intervalComponents)
    }

    /// A sequence of the collection, followed by one result for each changed bucket.
    public struct Results: AsyncSequence {
        public typealias Element = Result

        let sequence: QueryResultSequence<Result>

        /// Executes the query.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: sequence.makeIterator()) }

        /// An iterator, which executes a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryResultSequence<Result>.Iterator

            /// Waits for the next result.
            ///
            /// - Returns: The next result; nil once the task is cancelled.
            /// - Throws: ``HKError``.
            public mutating func next() async throws -> Result? { try await iterator.next() }
        }
    }
}

public import Foundation
import HealthEngine
import HealthStorage

/// Asks for statistics over neighbouring buckets of time: each day, each hour, each month.
///
/// Buckets are counted in calendar components from the anchor date, both ways, so that days have 23
/// or 25 hours where clocks change; a sample across a border is split by time (Semantics §2.4,
/// §5.3–5.5). The calendar is that of `intervalComponents`, else the store's.
///
/// With a `statisticsUpdateHandler` the query runs until it is stopped and calls it once for each
/// bucket that a save or deletion changed.
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
    /// What was handed over last.
    private let known = Locked<CollectionAnswer?>(nil)

    /// Asks about one quantity type.
    ///
    /// - Parameters:
    ///   - options: As for ``HKStatisticsQuery``.
    ///   - anchorDate: A moment at which some bucket begins; any date will do.
    ///   - intervalComponents: The length of a bucket. Zero, negative and empty ones are reported as
    ///     ``HKError/errorInvalidArgument``.
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

    /// A moment at which some bucket begins.
    open var anchorDate: Date { anchor }
    /// What is computed of each bucket.
    open var options: HKStatisticsOptions { statisticsOptions }
    /// The length of a bucket, in calendar components.
    open var intervalComponents: DateComponents { interval }

    /// Called once with the whole collection. Set it before the query is executed.
    @preconcurrency
    open var initialResultsHandler:
        (
            @Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void
        )?
    {
        get { initial.current }
        set { initial.current = newValue }
    }

    /// Called after later saves and deletions, with one changed bucket a call and the whole
    /// collection. Set it before the query is executed.
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
        let answer = try answer(execution)
        known { $0 = answer }
        let collection = answer.collection
        execution.deliver { initial.current?(self, collection, nil) }
    }

    override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {
        guard change.concerns(quantityType), let before = known({ $0 }) else { return }
        let answer = try answer(execution)
        let changed = answer.buckets(changedSince: before)
        if changed.isEmpty { return }
        known { $0 = answer }
        let collection = answer.collection
        for start in changed {
            let bucket = collection.statistics(for: Date(timeIntervalSinceReferenceDate: start))
            execution.deliver { updates.current?(self, bucket, collection, nil) }
        }
    }

    private func answer(_ execution: QueryExecution) throws -> CollectionAnswer {
        try execution.collection(
            of: quantityType, matching: super.predicate, statisticsOptions, anchor: anchor,
            every: interval, in: known { $0?.unit })
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

public import Foundation
import HealthEngine
import HealthStorage

/// Asks once for the sum, average, minimum, maximum, latest value or duration of samples, each
/// source's doubles counted once.
///
/// Samples that match enter whole, also where they reach beyond the predicate's range; the result
/// begins at the earliest start and ends at the latest end of all of them (Semantics §2.3).
/// For days as the Health app shows them use ``HKStatisticsCollectionQuery``, which cuts at
/// the borders.
// Immutable but for the locked handler.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

    private let quantityType: HKQuantityType
    private let options: HKStatisticsOptions
    private let handler: QueryHandler<Handler>

    /// Asks about one quantity type.
    ///
    /// - Parameters:
    ///   - options: A sum for cumulative types, or any of the discrete ones for the others; what
    ///     doesn't suit the type is reported as ``HKError/errorInvalidArgument``.
    ///   - handler: Called once; with ``HKError/errorNoData`` if nothing matches.
    @preconcurrency
    public required init(
        quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
        options: HKStatisticsOptions = [],
        completionHandler handler:
            @escaping @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void
    ) {
        self.quantityType = quantityType
        self.options = options
        self.handler = QueryHandler(handler)
        super.init(_objectType: quantityType, predicate: quantitySamplePredicate)
    }

    override func run(_ execution: QueryExecution) throws {
        let statistics = try execution.statistics(
            of: quantityType, matching: super.predicate, options)
        guard let statistics else { throw HKError(wellKnown: .errorNoData) }
        execution.deliver { handler.current?(self, statistics, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

extension QueryExecution {
    /// Statistics of all matching samples together; nil if there are none.
    func statistics(
        of type: HKQuantityType, matching predicate: NSPredicate?, _ options: HKStatisticsOptions
    ) throws -> HKStatistics? {
        let question = try StatisticsQuestion(type, predicate, options, in: self)
        let answer = try connection.readableStore.wholeStatistics(
            question.request, rules: question.rules, visibility: question.visibility)
        guard let answer, let bucket = answer.buckets.first else { return nil }
        return HKStatistics(
            _type: type, statistics: bucket, options: options,
            unit: try HKUnit(parsing: answer.unit), sources: question.sources(answer))
    }
}

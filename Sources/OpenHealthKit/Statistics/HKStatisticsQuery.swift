public import Foundation
import HealthEngine
import HealthStorage

/// A query for the sum, average, minimum, maximum, most recent value or duration of samples. In
/// sums and durations, samples of several sources that overlap are not counted twice.
///
/// Matching samples are included whole, even where they extend beyond the predicate's interval. The
/// result begins at the earliest start and ends at the latest end of the samples (Semantics §2.3).
/// For days as in the Health app use ``HKStatisticsCollectionQuery``, which divides the values of
/// cumulative samples at the boundaries.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

    private let quantityType: HKQuantityType
    private let options: HKStatisticsOptions
    private let handler: QueryHandler<Handler>

    /// Creates a query for one quantity type.
    ///
    /// - Parameters:
    ///   - quantityType: The type.
    ///   - quantitySamplePredicate: Which samples to include; nil for all.
    ///   - options: The requested values: the sum for cumulative types; average, minimum and
    ///     maximum for discrete types; the others for all types. Unsuitable options are reported as
    ///     ``HKError/errorInvalidArgument``.
    ///   - handler: Called once on a background queue, with the statistics or an error. If nothing
    ///     matches, the error is ``HKError/errorNoData``.
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
    /// Computes the statistics of all matching samples; nil if there are none.
    func statistics(
        of type: HKQuantityType, matching predicate: NSPredicate?, _ options: HKStatisticsOptions
    ) throws -> HKStatistics? {
        let parameters = try StatisticsQueryParameters(type, predicate, options, in: self)
        let result = try connection.readableStore.overallStatistics(
            parameters.request, rules: parameters.rules, visibility: parameters.visibility)
        guard let result, let bucket = result.buckets.first else { return nil }
        return HKStatistics(
            _type: type, statistics: bucket, options: options,
            unit: try HKUnit(parsing: result.unit), sources: parameters.sources(result))
    }
}

/// A query descriptor for statistics of all matching samples, computed as by ``HKStatisticsQuery``.
public struct HKStatisticsQueryDescriptor: HKAsyncQuery {
    /// The quantity type and the samples to include.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The requested values.
    public var options: HKStatisticsOptions

    /// Creates a query descriptor.
    ///
    /// - Parameters:
    ///   - predicate: The quantity type and the samples to include.
    ///   - options: The requested values.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
        self.predicate = predicate
        self.options = options
    }

    /// Executes the query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The statistics; nil if nothing matches (Semantics §5.11).
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
        let type = try predicate.quantityType
        return try await healthStore.awaitResult { deliver in
            HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: predicate.nsPredicate,
                options: options
            ) { _, statistics, error in
                if let error = error as? HKError, error.code == .errorNoData {
                    deliver(.success(nil))
                } else {
                    deliver(Result(statistics, error).map { $0 })
                }
            }
        }
    }
}

extension HKSamplePredicate<HKQuantitySample> {
    /// The quantity type of the predicate.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` if the type is not a quantity type. Predicates
    ///   created by `quantitySample` always have a quantity type.
    var quantityType: HKQuantityType {
        get throws {
            if let type = sampleType as? HKQuantityType { return type }
            throw HKError(
                .errorInvalidArgument, "\(sampleType.identifier) is not a quantity type.")
        }
    }
}

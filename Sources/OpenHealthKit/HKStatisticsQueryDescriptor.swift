/// Awaits statistics of all matching samples together, as ``HKStatisticsQuery`` computes them.
public struct HKStatisticsQueryDescriptor: HKAsyncQuery {
    /// The quantity type and which of its samples count.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// What is computed.
    public var options: HKStatisticsOptions

    /// A query of statistics.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
        self.predicate = predicate
        self.options = options
    }

    /// The statistics; nil if nothing matches (Semantics §5.11).
    ///
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
        let type = try predicate.quantityType
        return try await healthStore.answer { give in
            HKStatisticsQuery(
                quantityType: type, quantitySamplePredicate: predicate.nsPredicate,
                options: options
            ) { _, statistics, error in
                if let error = error as? HKError, error.code == .errorNoData {
                    give(.success(nil))
                } else {
                    give(Result(statistics, error).map { $0 })
                }
            }
        }
    }
}

extension HKSamplePredicate<HKQuantitySample> {
    /// - Throws: ``HKError/errorInvalidArgument`` if the type isn't a quantity type, which no
    ///   predicate made by `quantitySample` has.
    var quantityType: HKQuantityType {
        get throws {
            if let type = sampleType as? HKQuantityType { return type }
            throw HKError(
                .errorInvalidArgument, "\(sampleType.identifier) is not a quantity type.")
        }
    }
}

public import Foundation

/// Awaits statistics over neighbouring buckets of time, once or again and again, as
/// ``HKStatisticsCollectionQuery`` computes them.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
    /// The quantity type and which of its samples count.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// What is computed of each bucket.
    public var options: HKStatisticsOptions
    /// A moment at which some bucket begins.
    public var anchorDate: Date
    /// The length of a bucket, in calendar components.
    public var intervalComponents: DateComponents

    /// A query of statistics bucket by bucket.
    public init(
        predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions,
        anchorDate: Date, intervalComponents: DateComponents
    ) {
        self.predicate = predicate
        self.options = options
        self.anchorDate = anchorDate
        self.intervalComponents = intervalComponents
    }

    /// The collection; one without buckets if nothing matches.
    ///
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
        let query = try makeQuery()
        return try await healthStore.answer { give in
            query.initialResultsHandler = { give(.init($1, $2)) }
            return query
        }
    }

    /// The collection, and then the whole of it after each change, with the buckets that changed.
    public struct Result: Sendable {
        /// All buckets.
        public let statisticsCollection: HKStatisticsCollection
        /// What changed; nil in the first result.
        public let updatedStatistics: [HKStatistics]?
    }

    /// The collection, and then each change of a bucket.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            answers: healthStore.answers { continuation in
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

    /// The answers, one after another.
    public struct Results: AsyncSequence {
        public typealias Element = Result

        let answers: QueryAnswers<Result>

        /// Executes the query.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: answers.makeIterator()) }

        /// Waits for one answer after another.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryAnswers<Result>.Iterator

            /// The next answer; nil once the task is cancelled.
            public mutating func next() async throws -> Result? { try await iterator.next() }
        }
    }
}

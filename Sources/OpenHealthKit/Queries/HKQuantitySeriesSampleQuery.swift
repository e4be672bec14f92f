public import Foundation
import HealthEngine
import HealthStorage

/// A query for the individual quantities of samples. They are ordered by their starts, unless
/// ``orderByQuantitySampleStartDate`` is set.
///
/// The quantities of overlapping series are interleaved, not merged. A sample without a series
/// counts as one quantity. The handler's Boolean argument `done` is true for the last quantity. If
/// there are no quantities, there is one call without a quantity, in which `done` is true
/// (Semantics §10.5).
// Unchecked: the handler is locked; the two settings must not change after `execute`.
open class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {
    /// Whether the handler receives the sample of each quantity. Set it before execution.
    open var includeSample = false

    /// Whether quantities are grouped by sample, in order of the samples' starts. Set it before
    /// execution.
    open var orderByQuantitySampleStartDate = false

    private let sample: HKQuantitySample?
    private let type: HKQuantityType
    private let handler:
        QueryHandler<
            @Sendable (
                HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool,
                (any Error)?
            ) -> Void
        >

    /// Creates a query for the quantities of all matching samples of a type.
    ///
    /// - Parameters:
    ///   - quantityType: The type.
    ///   - predicate: Which samples to read; nil for all.
    ///   - quantityHandler: Receives the query, a quantity, its interval, its sample if requested,
    ///     whether it is the last one (`done`), and an error. Called for each quantity on a
    ///     background queue. With an error, `done` is false.
    @preconcurrency
    public required init(
        quantityType: HKQuantityType, predicate: NSPredicate?,
        quantityHandler:
            @escaping @Sendable (
                HKQuantitySeriesSampleQuery, HKQuantity?, DateInterval?, HKQuantitySample?, Bool,
                (any Error)?
            ) -> Void
    ) {
        sample = nil
        type = quantityType
        handler = QueryHandler(quantityHandler)
        super.init(_objectType: quantityType, predicate: predicate)
    }

    /// Creates a query for the quantities of one sample.
    ///
    /// - Parameters:
    ///   - quantitySample: The sample. If it is not stored or not visible to the app, the query
    ///     reports `errorNoData`.
    ///   - quantityHandler: Receives the query, a quantity, its start, whether it is the last one
    ///     (`done`), and an error. Called for each quantity on a background queue. With an error,
    ///     `done` is false.
    @preconcurrency
    public required init(
        sample quantitySample: HKQuantitySample,
        quantityHandler:
            @escaping @Sendable (
                HKQuantitySeriesSampleQuery, HKQuantity?, Date?, Bool, (any Error)?
            ) -> Void
    ) {
        sample = quantitySample
        type = quantitySample.quantityType
        handler = QueryHandler { query, quantity, interval, _, isDone, error in
            quantityHandler(query, quantity, interval?.start, isDone, error)
        }
        super.init(_objectType: quantitySample.quantityType, predicate: nil)
    }

    override func run(_ execution: QueryExecution) throws {
        var rows: [(sample: HKQuantitySample, quantity: SeriesQuantity)] = []
        for sample in try samples(execution) {
            let whole = SeriesQuantity(start: sample.start, end: sample.end, value: sample.value)
            let series = sample.series.isEmpty ? [whole] : sample.series
            for quantity in series { rows.append((sample, quantity)) }
        }
        if !orderByQuantitySampleStartDate {
            // A stable sort: quantities with equal starts keep the order of their samples.
            rows = rows.enumerated().sorted {
                ($0.element.quantity.start, $0.offset) < ($1.element.quantity.start, $1.offset)
            }.map(\.element)
        }
        if rows.isEmpty { execution.deliver { handler.current?(self, nil, nil, nil, true, nil) } }
        for (index, row) in rows.enumerated() where !execution.isStopped {
            let quantity = HKQuantity(_unit: row.sample.unit, value: row.quantity.value)
            let interval = DateInterval(reference: row.quantity.start, row.quantity.end)
            execution.deliver {
                handler.current?(
                    self, quantity, interval, includeSample ? row.sample : nil,
                    index == rows.count - 1, nil)
            }
        }
    }

    /// Returns the matching samples, ordered by start. For a query for one sample, returns its
    /// stored form.
    private func samples(_ execution: QueryExecution) throws -> [HKQuantitySample] {
        if let sample { return [try execution.stored(sample) as? HKQuantitySample ?? sample] }
        let stored = try execution.connection.readableStore.objects(
            [try execution.request(type, super.predicate)],
            visibility: try execution.visibility(of: [type]))
        return SampleObjects.objects(stored).compactMap { $0 as? HKQuantitySample }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, nil, nil, false, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// A query descriptor for the individual quantities of samples.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery {
    /// The type and the samples to read.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// The contents and order of the results.
    public var options: Options

    /// The contents and order of the results.
    public struct Options: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Includes the sample of each quantity.
        public static let includeSample = Options(rawValue: 1)
        /// Groups quantities by sample, in order of the samples' starts.
        public static let orderByQuantitySampleStartDate = Options(rawValue: 2)
    }

    /// Creates a query descriptor.
    ///
    /// - Parameters:
    ///   - predicate: The type and the samples to read.
    ///   - options: The contents and order of the results.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: Options = []) {
        self.predicate = predicate
        self.options = options
    }

    /// A quantity with its interval, and with its sample if requested.
    public struct Result: Equatable, Hashable, Sendable {
        /// The quantity, in the unit of its sample.
        public let quantity: HKQuantity
        /// The interval of the quantity.
        public let dateInterval: DateInterval
        /// The sample of the quantity; nil unless requested.
        public let sample: HKQuantitySample?
    }

    /// Returns a sequence of the quantities. Each of its iterators executes a new query, and
    /// releasing the iterator stops that query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence of the quantities.
    public func results(for healthStore: HKHealthStore) -> Results {
        let descriptor = self
        return Results(sequence: healthStore.resultSequence { descriptor.query($0) })
    }

    private func query(
        _ continuation: AsyncThrowingStream<Result, any Error>.Continuation
    ) -> HKQuery {
        let type = predicate.sampleType as? HKQuantityType
        let query = HKQuantitySeriesSampleQuery(
            quantityType: type ?? HKQuantityType(_identifier: predicate.sampleType.identifier),
            predicate: predicate.nsPredicate
        ) { _, quantity, interval, sample, isDone, error in
            if let quantity, let interval {
                continuation.yield(
                    Result(quantity: quantity, dateInterval: interval, sample: sample))
            }
            if let error { continuation.finish(throwing: error) }
            if isDone { continuation.finish() }
        }
        query.includeSample = options.contains(.includeSample)
        query.orderByQuantitySampleStartDate = options.contains(.orderByQuantitySampleStartDate)
        return query
    }

    /// A sequence of quantities.
    public struct Results: AsyncSequence {
        /// A quantity with its interval.
        public typealias Element = Result
        let sequence: QueryResultSequence<Result>

        /// An iterator, which executes a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: QueryResultSequence<Result>.Iterator
            /// Waits for the next quantity.
            ///
            /// - Returns: The next quantity; nil at the end and once the task is cancelled.
            /// - Throws: ``HKError``.
            public mutating func next() async throws -> Result? { try await base.next() }
        }

        /// Executes the query.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(base: sequence.makeIterator()) }
    }
}

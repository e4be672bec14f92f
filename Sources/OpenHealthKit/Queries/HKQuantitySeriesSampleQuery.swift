public import Foundation
import HealthEngine
import HealthStorage

/// Asks for the quantities behind samples, one by one, in order of their starts.
///
/// Overlapping series come interleaved, and nothing is merged. `done` comes with the last quantity,
/// or alone where there is none (Semantics §10.5).
// Unchecked: the handler is locked; the two settings are made before `execute`.
open class HKQuantitySeriesSampleQuery: HKQuery, @unchecked Sendable {
    /// Whether the handler is given the sample that a quantity stands behind. Set before executing.
    open var includeSample = false

    /// Whether quantities come sample by sample, by the samples' starts. Set it before executing.
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

    /// Asks for the quantities behind all matching samples of a type.
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

    /// Asks for the quantities behind one sample, with the moments they start at.
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
            // Stable: quantities of one start stay in the order of their samples.
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

    /// The samples asked for, by start.
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

/// Asks for the quantities behind samples as an asynchronous sequence.
public struct HKQuantitySeriesSampleQueryDescriptor: HKAsyncSequenceQuery {
    /// Which samples.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// What comes along, and in which order.
    public var options: Options

    /// What comes along, and in which order.
    public struct Options: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Each quantity with its sample.
        public static let includeSample = Options(rawValue: 1)
        /// Sample by sample, by the samples' starts.
        public static let orderByQuantitySampleStartDate = Options(rawValue: 2)
    }

    /// Asks for the quantities behind matching samples.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: Options = []) {
        self.predicate = predicate
        self.options = options
    }

    /// A quantity with its time, and with its sample where asked for.
    public struct Result: Equatable, Hashable, Sendable {
        public let quantity: HKQuantity
        public let dateInterval: DateInterval
        public let sample: HKQuantitySample?
    }

    /// The quantities. Each iteration asks anew; leaving it stops the query.
    public func results(for healthStore: HKHealthStore) -> Results {
        let question = self
        return Results(answers: healthStore.answers { question.query($0) })
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

    /// Quantities in order.
    public struct Results: AsyncSequence {
        /// What each step gives.
        public typealias Element = Result
        let answers: QueryAnswers<Result>

        /// One iteration, with a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: QueryAnswers<Result>.Iterator
            /// The next one; nil at the end. Throws what the query reports.
            public mutating func next() async throws -> Result? { try await base.next() }
        }

        /// Executes the query.
        public func makeAsyncIterator() -> Iterator { Iterator(base: answers.makeIterator()) }
    }
}

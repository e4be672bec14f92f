import Foundation

/// Asks for the voltages of an electrocardiogram, which no store of ours keeps yet: executed, it
/// reports ``HKError/errorHealthDataUnavailable``.
// Immutable but for the locked handler.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?
        ) -> Void

    private let handler: QueryHandler<Handler>

    /// What the handler is called with.
    public enum Result {
        case measurement(HKElectrocardiogram.VoltageMeasurement)
        case error(any Error)
        case done
    }

    /// Asks about one electrocardiogram; the handler is told when a measurement was the last.
    @preconcurrency
    public required init(
        electrocardiogram: HKElectrocardiogram,
        dataHandler:
            @escaping @Sendable (
                HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool,
                (any Error)?
            ) -> Void
    ) {
        handler = QueryHandler(dataHandler)
        super.init(_objectType: electrocardiogram.sampleType, predicate: nil)
    }

    /// Asks about one electrocardiogram.
    @preconcurrency
    public required convenience init(
        _ ecg: HKElectrocardiogram,
        dataHandler:
            @escaping @Sendable (HKElectrocardiogramQuery, HKElectrocardiogramQuery.Result) -> Void
    ) {
        self.init(electrocardiogram: ecg) { query, measurement, isDone, error in
            if let error { return dataHandler(query, .error(error)) }
            if let measurement { dataHandler(query, .measurement(measurement)) }
            if isDone { dataHandler(query, .done) }
        }
    }

    override func run(_ execution: QueryExecution) throws {
        throw HKError.absent("Reading an electrocardiogram’s voltages")
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// Awaits the voltages of an electrocardiogram, which no store of ours keeps yet.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery {
    /// The electrocardiogram.
    public var electrocardiogram: HKElectrocardiogram

    /// A query of an electrocardiogram.
    public init(_ electrocardiogram: HKElectrocardiogram) {
        self.electrocardiogram = electrocardiogram
    }

    /// A sequence that throws ``HKError/errorHealthDataUnavailable``.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            answers: healthStore.answers { continuation in
                HKElectrocardiogramQuery(electrocardiogram: electrocardiogram) { _, _, _, error in
                    continuation.finish(throwing: error)
                }
            })
    }

    /// The voltages, one after another.
    public struct Results: AsyncSequence {
        public typealias Element = HKElectrocardiogram.VoltageMeasurement

        let answers: QueryAnswers<Element>

        /// Executes the query.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: answers.makeIterator()) }

        /// Waits for one voltage after another.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryAnswers<Element>.Iterator

            /// The next voltage.
            public mutating func next() async throws -> Element? { try await iterator.next() }
        }
    }
}

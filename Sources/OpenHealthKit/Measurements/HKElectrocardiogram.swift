public import Foundation

/// An electrocardiogram. Only its times, source and metadata are stored. Its findings are not
/// stored, and its voltages cannot be queried.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKElectrocardiogram: HKSample, @unchecked Sendable {
    /// The number of voltage measurements; always 0, because none are stored.
    open var numberOfVoltageMeasurements: Int { 0 }
    /// The sampling frequency; always nil, because it is not stored.
    open var samplingFrequency: HKQuantity? { nil }
    /// The classification; always `notSet`, because it is not stored.
    open var classification: Classification { .notSet }
    /// The average heart rate during the recording; always nil, because it is not stored.
    open var averageHeartRate: HKQuantity? { nil }
    /// Whether there were symptoms; always `notSet`, because it is not stored.
    open var symptomsStatus: SymptomsStatus { .notSet }

    /// The voltages at one point in time.
    // `@unchecked Sendable`: all stored properties are immutable.
    open class VoltageMeasurement: NSObject, @unchecked Sendable {
        /// The seconds since the start of the sample; always 0, because none are stored.
        open var timeSinceSampleStart: TimeInterval { 0 }
        /// Returns the voltage of a lead; always nil, because none are stored.
        ///
        /// - Parameter lead: The lead.
        /// - Returns: Nil.
        open func quantity(for lead: HKElectrocardiogram.Lead) -> HKQuantity? { nil }
    }
}

/// A query for the voltages of an electrocardiogram, which is not implemented: when executed, it
/// reports ``HKError/errorHealthDataUnavailable``.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?
        ) -> Void

    private let handler: QueryHandler<Handler>

    /// The argument of the data handler.
    public enum Result {
        case measurement(HKElectrocardiogram.VoltageMeasurement)
        case error(any Error)
        case done
    }

    /// Creates a query for the voltages of an electrocardiogram.
    ///
    /// - Parameters:
    ///   - electrocardiogram: The electrocardiogram.
    ///   - dataHandler: Receives the query, a measurement, whether the measurement is the last one,
    ///     and an error. Here the handler is called once, with the error.
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

    /// Creates a query for the voltages of an electrocardiogram.
    ///
    /// - Parameters:
    ///   - ecg: The electrocardiogram.
    ///   - dataHandler: Receives the query and a result. Here the handler is called once, with the
    ///     error.
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
        throw HKError.unavailable("Reading an electrocardiogram’s voltages")
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// A query descriptor for the voltages of an electrocardiogram, which is not implemented.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery {
    /// The electrocardiogram.
    public var electrocardiogram: HKElectrocardiogram

    /// Creates a query descriptor for an electrocardiogram.
    ///
    /// - Parameter electrocardiogram: The electrocardiogram.
    public init(_ electrocardiogram: HKElectrocardiogram) {
        self.electrocardiogram = electrocardiogram
    }

    /// Executes the query, which always fails.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence that throws ``HKError/errorHealthDataUnavailable``.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            sequence: healthStore.resultSequence { continuation in
                HKElectrocardiogramQuery(electrocardiogram: electrocardiogram) { _, _, _, error in
                    continuation.finish(throwing: error)
                }
            })
    }

    /// The voltage measurements.
    public struct Results: AsyncSequence {
        public typealias Element = HKElectrocardiogram.VoltageMeasurement

        let sequence: QueryResultSequence<Element>

        /// Creates an iterator.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: sequence.makeIterator()) }

        /// An iterator over the voltage measurements.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryResultSequence<Element>.Iterator

            /// Returns the next measurement.
            ///
            /// - Returns: The next measurement; nil at the end.
            /// - Throws: ``HKError/errorHealthDataUnavailable``.
            public mutating func next() async throws -> Element? { try await iterator.next() }
        }
    }
}

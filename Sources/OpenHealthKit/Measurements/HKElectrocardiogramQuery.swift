import Foundation
import HealthEngine
import HealthStorage

/// A query for the voltages of an electrocardiogram, delivered one by one in order of time.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKElectrocardiogramQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (
            HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool, (any Error)?
        ) -> Void

    private let electrocardiogram: HKElectrocardiogram
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
    ///   - dataHandler: Receives the query, a measurement, whether all measurements were delivered,
    ///     and an error. The last call has no measurement and reports the end or an error. Called
    ///     on a background queue.
    @preconcurrency
    public required init(
        electrocardiogram: HKElectrocardiogram,
        dataHandler:
            @escaping @Sendable (
                HKElectrocardiogramQuery, HKElectrocardiogram.VoltageMeasurement?, Bool,
                (any Error)?
            ) -> Void
    ) {
        self.electrocardiogram = electrocardiogram
        handler = QueryHandler(dataHandler)
        super.init(_objectType: electrocardiogram.sampleType, predicate: nil)
    }

    /// Creates a query for the voltages of an electrocardiogram.
    ///
    /// - Parameters:
    ///   - ecg: The electrocardiogram.
    ///   - dataHandler: Receives the query and a measurement, the end, or an error. The end and an
    ///     error are the last call. Called on a background queue.
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
        if let recording = try execution.recording(of: electrocardiogram) {
            for (index, voltage) in recording.microvolts.enumerated() where !execution.isStopped {
                let measurement = HKElectrocardiogram.VoltageMeasurement(
                    _time: recording.time(of: index), microvolts: voltage)
                execution.deliver { handler.current?(self, measurement, false, nil) }
            }
        }
        execution.deliver { handler.current?(self, nil, true, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

extension QueryExecution {
    /// Reads the voltages of a stored electrocardiogram from its numbers, or from the file of the
    /// export that contained it; nil if neither has any.
    ///
    /// - Throws: `errorNoData` if it is not stored or not visible to the app; the errors of
    ///   ``visibility(of:)``.
    func recording(of sample: HKElectrocardiogram) throws -> ElectrocardiogramRecording? {
        guard let stored = try stored(sample) as? HKElectrocardiogram else {
            throw HKError(wellKnown: .errorNoData)
        }
        let sent = ElectrocardiogramRecording(numbers: stored.numbers, start: stored.start)
        if let sent { return sent }
        // Devices send their own voltages or none.
        guard SampleUUID(stored.uuid).isOfImport else { return nil }
        let file = try connection.readableStore.electrocardiogramFile(recorded: stored.start)
        return file.flatMap { ElectrocardiogramRecording(file: $0, recorded: stored.start) }
    }
}

/// A query descriptor for the voltages of an electrocardiogram.
public struct HKElectrocardiogramQueryDescriptor: HKAsyncSequenceQuery {
    /// The electrocardiogram.
    public var electrocardiogram: HKElectrocardiogram

    /// Creates a query descriptor for an electrocardiogram.
    ///
    /// - Parameter electrocardiogram: The electrocardiogram.
    public init(_ electrocardiogram: HKElectrocardiogram) {
        self.electrocardiogram = electrocardiogram
    }

    /// Returns the voltage measurements as a sequence. Each iterator executes a new query, which
    /// stops when the iterator is released.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence of the measurements in order of time.
    public func results(for healthStore: HKHealthStore) -> Results {
        let electrocardiogram = electrocardiogram
        return Results(
            sequence: healthStore.resultSequence { continuation in
                HKElectrocardiogramQuery(electrocardiogram) { _, result in
                    switch result {
                    case .measurement(let measurement): continuation.yield(measurement)
                    case .error(let error): continuation.finish(throwing: error)
                    case .done: continuation.finish()
                    }
                }
            })
    }

    /// The voltage measurements in order of time.
    public struct Results: AsyncSequence {
        /// A measurement.
        public typealias Element = HKElectrocardiogram.VoltageMeasurement

        let sequence: QueryResultSequence<Element>

        /// Executes the query.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: sequence.makeIterator()) }

        /// An iterator, which executes a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryResultSequence<Element>.Iterator

            /// Waits for the next measurement.
            ///
            /// - Returns: The next measurement; nil at the end.
            /// - Throws: ``HKError``; `errorNoData` if the electrocardiogram is not stored or not
            ///   visible.
            public mutating func next() async throws -> Element? { try await iterator.next() }
        }
    }
}

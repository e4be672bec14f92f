public import Foundation

/// A series of heartbeats. The times of the heartbeats cannot be queried yet.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKHeartbeatSeriesSample: HKSeriesSample, @unchecked Sendable {}

/// A query for the heartbeats of a series, which is not implemented: when executed, it reports
/// ``HKError/errorHealthDataUnavailable``.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void

    private let handler: QueryHandler<Handler>

    /// Creates a query for the heartbeats of a series.
    ///
    /// - Parameters:
    ///   - heartbeatSeries: The series.
    ///   - dataHandler: Receives the query, seconds since the start of the series, whether a gap
    ///     precedes the heartbeat, whether the heartbeat is the last one, and an error. Here the
    ///     handler is called once, with the error.
    @preconcurrency
    public required init(
        heartbeatSeries: HKHeartbeatSeriesSample,
        dataHandler:
            @escaping @Sendable (
                HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?
            ) -> Void
    ) {
        handler = QueryHandler(dataHandler)
        super.init(_objectType: heartbeatSeries.sampleType, predicate: nil)
    }

    override func run(_ execution: QueryExecution) throws {
        throw HKError.unavailable("Reading heartbeat series")
    }

    override func report(_ error: HKError) { handler.current?(self, 0, false, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// A query descriptor for the heartbeats of a series, which is not implemented.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery {
    /// The series.
    public var sample: HKHeartbeatSeriesSample

    /// Creates a query descriptor for a series.
    ///
    /// - Parameter sample: The series.
    public init(_ sample: HKHeartbeatSeriesSample) { self.sample = sample }

    /// One heartbeat.
    public struct Heartbeat: Equatable, Hashable {
        /// The seconds from the start of the series to the heartbeat.
        public let timeIntervalSinceStart: TimeInterval
        /// Whether heartbeats may be missing before this one.
        public let precededByGap: Bool
    }

    /// Executes the query, which always fails.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence that throws ``HKError/errorHealthDataUnavailable``.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            sequence: healthStore.resultSequence { continuation in
                HKHeartbeatSeriesQuery(heartbeatSeries: sample) { _, _, _, _, error in
                    continuation.finish(throwing: error)
                }
            })
    }

    /// The heartbeats of a series.
    public struct Results: AsyncSequence {
        public typealias Element = Heartbeat

        let sequence: QueryResultSequence<Heartbeat>

        /// Creates an iterator.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: sequence.makeIterator()) }

        /// An iterator over the heartbeats.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryResultSequence<Heartbeat>.Iterator

            /// Returns the next heartbeat.
            ///
            /// - Returns: The next heartbeat; nil at the end.
            /// - Throws: ``HKError/errorHealthDataUnavailable``.
            public mutating func next() async throws -> Heartbeat? { try await iterator.next() }
        }
    }
}

/// A builder for heartbeat series, which is not implemented: all calls except `discard()` fail with
/// `errorHealthDataUnavailable`.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
    /// The maximum number of heartbeats in a series: 2,048.
    open class var maximumCount: Int { 2_048 }

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - healthStore: The store to save to.
    ///   - device: The device that records the heartbeats; ignored.
    ///   - startDate: The start of the series; ignored.
    public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
        super.init(healthStore: healthStore)
    }

    private var unavailableError: HKError { HKError.unavailable("Saving heartbeat series") }

    /// Adds a heartbeat. Not implemented: reports `errorHealthDataUnavailable`.
    ///
    /// - Parameters:
    ///   - timeIntervalSinceStart: The seconds since the start of the series; ignored.
    ///   - precededByGap: Whether a gap precedes the heartbeat; ignored.
    ///   - completion: Receives false and the error. Called on a background queue.
    @preconcurrency
    open func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { [unavailableError] in completion(false, unavailableError) }
    }

    /// Adds a heartbeat. Not implemented: throws `errorHealthDataUnavailable`.
    ///
    /// - Parameters:
    ///   - timeIntervalSinceStart: The seconds since the start of the series; ignored.
    ///   - precededByGap: Whether a gap precedes the heartbeat; ignored.
    /// - Throws: `errorHealthDataUnavailable`.
    open func addHeartbeat(
        at timeIntervalSinceStart: TimeInterval, precededByGap: Bool
    ) async throws {
        throw unavailableError
    }

    /// Adds metadata. Not implemented: reports `errorHealthDataUnavailable`.
    ///
    /// - Parameters:
    ///   - metadata: The metadata; ignored.
    ///   - completion: Receives false and the error. Called on a background queue.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { [unavailableError] in completion(false, unavailableError) }
    }

    /// Adds metadata. Not implemented: throws `errorHealthDataUnavailable`.
    ///
    /// - Parameter metadata: The metadata; ignored.
    /// - Throws: `errorHealthDataUnavailable`.
    open func addMetadata(_ metadata: [String: Any]) async throws { throw unavailableError }

    /// Saves the series. Not implemented: reports `errorHealthDataUnavailable`.
    ///
    /// - Parameter completion: Receives nil and the error. Called on a background queue.
    @preconcurrency
    open func finishSeries(
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        healthStore.handle { [unavailableError] in completion(nil, unavailableError) }
    }

    /// Saves the series. Not implemented: throws `errorHealthDataUnavailable`.
    ///
    /// - Returns: Does not return.
    /// - Throws: `errorHealthDataUnavailable`.
    @discardableResult
    open func finishSeries() async throws -> HKHeartbeatSeriesSample {
        throw unavailableError
    }
}

public import Foundation
import HealthEngine
import HealthStorage

/// A query for the heartbeats of a series, delivered one by one in order of time.
///
/// The handler also receives whether the heartbeat is the last one. For a series without
/// heartbeats, it is called once, with a time of 0 (Semantics §10.5).
// `@unchecked Sendable`: all stored properties are immutable except for the handler and the number
// of heartbeats, which are locked.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void

    private let series: HKHeartbeatSeriesSample
    private let handler: QueryHandler<Handler>
    private let readCount = Locked(0)

    /// Creates a query for the heartbeats of a series.
    ///
    /// - Parameters:
    ///   - heartbeatSeries: The series.
    ///   - dataHandler: Receives the query, seconds since the start of the series, whether
    ///     heartbeats may be missing before this one, whether it is the last one, and an error.
    ///     With an error, which is the last call, the other arguments have no meaning. Called on a
    ///     background queue.
    @preconcurrency
    public required init(
        heartbeatSeries: HKHeartbeatSeriesSample,
        dataHandler:
            @escaping @Sendable (
                HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?
            ) -> Void
    ) {
        series = heartbeatSeries
        handler = QueryHandler(dataHandler)
        super.init(_objectType: heartbeatSeries.sampleType, predicate: nil)
    }

    /// The number of heartbeats of the series; 0 until they are read.
    var count: Int { readCount { $0 } }

    override func run(_ execution: QueryExecution) throws {
        let beats = try execution.beats(of: series).timedSeries
        readCount { $0 = beats.count }
        if beats.isEmpty { execution.deliver { handler.current?(self, 0, false, true, nil) } }
        for (index, beat) in beats.enumerated() where !execution.isStopped {
            execution.deliver {
                handler.current?(
                    self, beat.offset ?? 0, beat.precededByGap, index == beats.count - 1, nil)
            }
        }
    }

    override func report(_ error: HKError) { handler.current?(self, 0, false, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// A query descriptor for the heartbeats of a series.
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

    /// Returns the heartbeats as a sequence. Each iterator executes a new query, which stops when
    /// the iterator is released.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence of the heartbeats in order of time.
    public func results(for healthStore: HKHealthStore) -> Results {
        let series = sample
        return Results(
            sequence: healthStore.resultSequence { continuation in
                HKHeartbeatSeriesQuery(heartbeatSeries: series) { query, time, gap, isDone, error in
                    if let error { return continuation.finish(throwing: error) }
                    if query.count > 0 {
                        continuation.yield(
                            Heartbeat(timeIntervalSinceStart: time, precededByGap: gap))
                    }
                    if isDone { continuation.finish() }
                }
            })
    }

    /// The heartbeats of a series in order of time.
    public struct Results: AsyncSequence {
        /// A heartbeat.
        public typealias Element = Heartbeat

        let sequence: QueryResultSequence<Heartbeat>

        /// Executes the query.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: sequence.makeIterator()) }

        /// An iterator, which executes a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryResultSequence<Heartbeat>.Iterator

            /// Waits for the next heartbeat.
            ///
            /// - Returns: The next heartbeat; nil at the end.
            /// - Throws: ``HKError``; `errorNoData` if the series is not stored or not visible.
            public mutating func next() async throws -> Heartbeat? { try await iterator.next() }
        }
    }
}

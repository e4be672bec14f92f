public import Foundation

/// Asks when each heartbeat of a series came, which no store of ours tells yet: executed, it
/// reports ``HKError/errorHealthDataUnavailable``.
// Immutable but for the locked handler.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void

    private let handler: QueryHandler<Handler>

    /// Asks about one series; the handler gets seconds since its start, whether a gap came before,
    /// and whether it was the last.
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
        throw HKError.absent("Reading heartbeat series")
    }

    override func report(_ error: HKError) { handler.current?(self, 0, false, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

/// Awaits the heartbeats of a series, which no store of ours tells yet.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery {
    /// The series.
    public var sample: HKHeartbeatSeriesSample

    /// A query of a series.
    public init(_ sample: HKHeartbeatSeriesSample) { self.sample = sample }

    /// One heartbeat.
    public struct Heartbeat: Equatable, Hashable {
        /// Seconds since the series began.
        public let timeIntervalSinceStart: TimeInterval
        /// Whether beats before it may have been missed.
        public let precededByGap: Bool
    }

    /// A sequence that throws ``HKError/errorHealthDataUnavailable``.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(
            answers: healthStore.answers { continuation in
                HKHeartbeatSeriesQuery(heartbeatSeries: sample) { _, _, _, _, error in
                    continuation.finish(throwing: error)
                }
            })
    }

    /// The heartbeats, one after another.
    public struct Results: AsyncSequence {
        public typealias Element = Heartbeat

        let answers: QueryAnswers<Heartbeat>

        /// Executes the query.
        public func makeAsyncIterator() -> Iterator { Iterator(iterator: answers.makeIterator()) }

        /// Waits for one heartbeat after another.
        public struct Iterator: AsyncIteratorProtocol {
            var iterator: QueryAnswers<Heartbeat>.Iterator

            /// The next heartbeat.
            public mutating func next() async throws -> Heartbeat? { try await iterator.next() }
        }
    }
}

public import Foundation

/// Gathers beats of the heart. The family is left for later: every step reports
/// `errorHealthDataUnavailable`.
// Immutable.
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
    /// How many beats a series may have.
    open class var maximumCount: Int { 2_048 }

    /// A builder of a series that begins at a date.
    public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
        super.init(healthStore: healthStore)
    }

    private var refusal: HKError { HKError.absent("Saving heartbeat series") }

    /// Reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { [refusal] in completion(false, refusal) }
    }

    /// Throws `errorHealthDataUnavailable`.
    open func addHeartbeat(
        at timeIntervalSinceStart: TimeInterval, precededByGap: Bool
    ) async throws {
        throw refusal
    }

    /// Reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        healthStore.handle { [refusal] in completion(false, refusal) }
    }

    /// Throws `errorHealthDataUnavailable`.
    open func addMetadata(_ metadata: [String: Any]) async throws { throw refusal }

    /// Reports `errorHealthDataUnavailable`.
    @preconcurrency
    open func finishSeries(
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        healthStore.handle { [refusal] in completion(nil, refusal) }
    }

    /// Throws `errorHealthDataUnavailable`.
    open func finishSeries() async throws -> HKHeartbeatSeriesSample { throw refusal }
}

/// Asks for the beats of a series. The family is left for later: it reports
/// `errorHealthDataUnavailable`.
// Immutable but for the locked handler.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
    private let handler:
        QueryHandler<
            @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void
        >

    /// Asks for all beats.
    @preconcurrency
    public init(
        heartbeatSeries: HKHeartbeatSeriesSample,
        dataHandler:
            @escaping @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?)
            -> Void
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

/// Asks for the beats of a series as a sequence; it fails with `errorHealthDataUnavailable`.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery {
    /// Whose beats.
    public var sample: HKHeartbeatSeriesSample

    /// Asks for all beats.
    public init(_ sample: HKHeartbeatSeriesSample) { self.sample = sample }

    /// One beat.
    public struct Heartbeat: Equatable, Hashable, Sendable {
        public let timeIntervalSinceStart: TimeInterval
        public let precededByGap: Bool
    }

    /// A sequence that fails at its first element.
    public func results(for healthStore: HKHealthStore) -> Results { Results() }

    /// Beats in order of time.
    public struct Results: AsyncSequence {
        public typealias Element = Heartbeat

        public struct Iterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> Heartbeat? {
                throw HKError.absent("Reading heartbeat series")
            }
        }

        public func makeAsyncIterator() -> Iterator { Iterator() }
    }
}

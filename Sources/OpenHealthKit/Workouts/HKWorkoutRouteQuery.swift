public import Foundation
public import FoundationGaps
import HealthEngine
import HealthStorage

/// A query for the locations of a route, delivered in batches in chronological order.
///
/// A batch has at most 500 locations. The handler also receives whether the batch is the last one;
/// with an error, this is false. If there are no locations, the handler receives one empty batch
/// (Semantics §10.5).
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
    private static let batchSize = 500

    private let route: HKWorkoutRoute
    private let interval: DateInterval?
    private let handler:
        QueryHandler<@Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void>

    /// Creates a query for all locations of a route.
    ///
    /// - Parameters:
    ///   - workoutRoute: The route.
    ///   - dataHandler: Receives the query, a batch of locations, whether it is the last one, and
    ///     an error. Called on a background queue.
    @preconcurrency
    public required init(
        route workoutRoute: HKWorkoutRoute,
        dataHandler:
            @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        route = workoutRoute
        interval = nil
        handler = QueryHandler(dataHandler)
        super.init(_objectType: workoutRoute.sampleType, predicate: nil)
    }

    /// Creates a query for the locations of a route in an interval.
    ///
    /// - Parameters:
    ///   - workoutRoute: The route.
    ///   - dateInterval: The interval; its start and end are inclusive.
    ///   - dataHandler: Receives the query, a batch of locations, whether it is the last one, and
    ///     an error. Called on a background queue.
    @preconcurrency
    public required init(
        route workoutRoute: HKWorkoutRoute, dateInterval: DateInterval,
        dataHandler:
            @escaping @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void
    ) {
        route = workoutRoute
        interval = dateInterval
        handler = QueryHandler(dataHandler)
        super.init(_objectType: workoutRoute.sampleType, predicate: nil)
    }

    override func run(_ execution: QueryExecution) throws {
        let points = try execution.points(of: route).filter { point in
            guard let interval else { return true }
            return
                (interval.start
                .timeIntervalSinceReferenceDate...interval.end.timeIntervalSinceReferenceDate)
                .contains(point.time)
        }
        var first = 0
        repeat {
            let last = min(first + Self.batchSize, points.count)
            let locations = points[first..<last].map(\.location)
            execution.deliver { handler.current?(self, locations, last == points.count, nil) }
            first = last
        } while first < points.count && !execution.isStopped
    }

    override func report(_ error: HKError) { handler.current?(self, nil, false, error) }
    override func releaseHandlers() { handler.current = nil }
}

extension QueryExecution {
    /// Returns the stored form of a sample.
    ///
    /// - Throws: `errorNoData` if the sample is not stored or not visible to the app; the errors of
    ///   ``visibility(of:)``.
    func stored(_ sample: HKSample) throws -> HKSample {
        let visibility = try visibility(of: [sample.sampleType])
        let found = try connection.readableStore.object(
            SampleUUID(sample.uuid), visibility: visibility)
        guard let object = found.flatMap({ SampleObjects.objects($0).first }) else {
            throw HKError(wellKnown: .errorNoData)
        }
        return object
    }
}

/// A query descriptor for the locations of a route.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery {
    /// The route.
    public var workoutRoute: HKWorkoutRoute

    /// Creates a query descriptor.
    ///
    /// - Parameter workoutRoute: The route.
    public init(_ workoutRoute: HKWorkoutRoute) { self.workoutRoute = workoutRoute }

    /// Returns the locations of the route as a sequence. Each iterator executes a new query, which
    /// stops when the iterator is released.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: A sequence of the locations in chronological order.
    public func results(for healthStore: HKHealthStore) -> Results {
        let route = workoutRoute
        return Results(
            sequence: healthStore.resultSequence { continuation in
                HKWorkoutRouteQuery(route: route) { _, locations, isDone, error in
                    for location in locations ?? [] { continuation.yield(location) }
                    if let error { continuation.finish(throwing: error) }
                    if isDone { continuation.finish() }
                }
            })
    }

    /// A sequence of a route's locations in chronological order.
    public struct Results: AsyncSequence {
        /// A location.
        public typealias Element = CLLocation
        let sequence: QueryResultSequence<CLLocation>

        /// An iterator, which executes a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: QueryResultSequence<CLLocation>.Iterator
            /// Waits for the next location.
            ///
            /// - Returns: The next location; nil at the end.
            /// - Throws: ``HKError``.
            public mutating func next() async throws -> CLLocation? { try await base.next() }
        }

        /// Executes the query.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(base: sequence.makeIterator()) }
    }
}

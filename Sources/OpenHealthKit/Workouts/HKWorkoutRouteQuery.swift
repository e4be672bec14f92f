public import Foundation
import HealthEngine
import HealthStorage

/// Asks for the locations of a route, batch by batch, in order of time.
///
/// The last batch says so: `done` is true exactly once, also for a route without locations
/// (Semantics §10.5).
// Immutable but for the locked handler.
open class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
    private static let batchSize = 500

    private let route: HKWorkoutRoute
    private let interval: DateInterval?
    private let handler:
        QueryHandler<@Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void>

    /// Asks for all locations of a route.
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

    /// Asks for the locations of a stretch of time, both its ends included.
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
    /// An object as its store has it.
    ///
    /// - Throws: `errorNoData` if the store doesn't hold it any more or the app may not see it.
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

/// Asks for the locations of a route one by one.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery {
    /// Whose locations.
    public var workoutRoute: HKWorkoutRoute

    /// Asks for all locations of a route.
    public init(_ workoutRoute: HKWorkoutRoute) { self.workoutRoute = workoutRoute }

    /// The locations in order of time. Each iteration asks anew; leaving it stops the query.
    public func results(for healthStore: HKHealthStore) -> Results {
        let route = workoutRoute
        return Results(
            answers: healthStore.answers { continuation in
                HKWorkoutRouteQuery(route: route) { _, locations, isDone, error in
                    for location in locations ?? [] { continuation.yield(location) }
                    if let error { continuation.finish(throwing: error) }
                    if isDone { continuation.finish() }
                }
            })
    }

    /// A route's locations in order of time.
    public struct Results: AsyncSequence {
        /// What each step gives.
        public typealias Element = CLLocation
        let answers: QueryAnswers<CLLocation>

        /// One iteration, with a query of its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: QueryAnswers<CLLocation>.Iterator
            /// The next one; nil at the end. Throws what the query reports.
            public mutating func next() async throws -> CLLocation? { try await base.next() }
        }

        /// Executes the query.
        public func makeAsyncIterator() -> Iterator { Iterator(base: answers.makeIterator()) }
    }
}

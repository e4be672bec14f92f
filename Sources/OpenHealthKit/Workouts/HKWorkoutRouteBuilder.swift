import Foundation
import HealthEngine

/// Gathers the locations of a workout's path, and saves it with the workout.
///
/// ```swift
/// let builder = HKWorkoutRouteBuilder(healthStore: store, device: nil)
/// try await builder.insertRouteData(locations)
/// let route = try await builder.finishRoute(with: workout, metadata: nil)
/// ```
// Unchecked: all that changes is in `path`, under its lock.
open class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
    private struct Path {
        var phase = SeriesPhase.open
        var points: [RoutePoint] = []
        var metadata: [String: Any] = [:]
    }

    private enum Ownership { case own, partOfWorkout }

    private let path = Locked(Path())
    private let device: HKDevice?
    private let ownership: Ownership

    /// A builder that saves into a store.
    ///
    /// - Parameter device: What the locations are recorded with; nil where nobody says.
    public init(healthStore: HKHealthStore, device: HKDevice?) {
        self.device = device
        ownership = .own
        super.init(healthStore: healthStore)
    }

    /// The route of a workout's builder, finished with the workout; not Apple's.
    init(_partOfWorkoutIn healthStore: HKHealthStore, device: HKDevice?) {
        self.device = device
        ownership = .partOfWorkout
        super.init(healthStore: healthStore)
    }

    /// Adds locations, in any order; all or none.
    ///
    /// A place that is none on Earth, and a number that isn't finite, are `errorInvalidArgument`.
    @preconcurrency
    open func insertRouteData(
        _ routeData: [CLLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let points = routeData.map { RoutePoint($0) }
        healthStore.write(completion) { [path] _ in
            guard points.allSatisfy(\.isValid) else {
                throw HKError(.errorInvalidArgument, "A location of the route is no place on Earth")
            }
            try path { (path) throws(HKError) in
                try path.phase.requireOpen("insertRouteData")
                path.points += points
            }
        }
    }

    /// Adds locations, in any order; see the completion form.
    open func insertRouteData(_ routeData: [CLLocation]) async throws {
        try await healthStore.succeeding { insertRouteData(routeData, completion: $0) }
    }

    /// Adds metadata to what is there; what comes later wins.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let given = GivenMetadata(values: metadata)
        healthStore.write(completion) { [path] _ in
            try path { (path) throws(HKError) in
                try path.phase.requireOpen("addMetadata")
                path.metadata.merge(given.values) { _, new in new }
            }
        }
    }

    /// Adds metadata to what is there; what comes later wins.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        try await healthStore.succeeding { addMetadata(metadata, completion: $0) }
    }

    /// Saves the route with its workout, which a store must hold.
    ///
    /// Sharing both workouts and routes must be allowed (Semantics §8.10). A route
    /// without locations is saved too, with the workout's time. The builder of a workout finishes
    /// its own route: calling this on it is `errorInvalidArgument`.
    @preconcurrency
    open func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?,
        completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
    ) {
        let given = GivenMetadata(values: metadata ?? [:])
        let saved = Locked<HKWorkoutRoute?>(nil)
        healthStore.write(
            { completion($0 ? saved { $0 } : nil, $1) },
            { [self] _ in
                guard ownership == .own else {
                    throw HKError(
                        .errorInvalidArgument,
                        "The route of a workout builder is finished with its workout")
                }
                let route = try save(with: workout, metadata: given.values)
                saved { $0 = route }
            })
    }

    /// Saves the route with its workout; see the completion form.
    @discardableResult
    open func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?
    ) async throws -> HKWorkoutRoute {
        try await healthStore.value { done in
            finishRoute(with: workout, metadata: metadata) { done($0, $1) }
        }
    }

    open override func discard() {
        path { if $0.phase == .open { $0.phase = .discarded } }
    }

    /// Saves the route of a workout builder with the workout just finished, unless it was discarded
    /// or nothing was ever added.
    func finish(with workout: HKWorkout) throws {
        guard isToBeSaved else { return discard() }
        _ = try save(with: workout, metadata: [:])
    }

    /// - Throws: What saving the route with the workout would throw, of all that can be known before.
    func checkFinish(with workout: HKWorkout) throws {
        guard isToBeSaved else { return }
        try healthStore.requireSavable([try route(of: workout, metadata: [:])])
    }

    private var isToBeSaved: Bool { path { $0.phase == .open && !$0.points.isEmpty } }

    private func save(with workout: HKWorkout, metadata: [String: Any]) throws -> HKWorkoutRoute {
        let route = try route(of: workout, metadata: metadata)
        try healthStore.commit([route], to: workout)
        path { $0.phase = .finished }
        return try healthStore.stored(route)
    }

    private func route(of workout: HKWorkout, metadata: [String: Any]) throws -> HKWorkoutRoute {
        let points = try path { (path) throws(HKError) in
            try path.phase.requireOpen("finishRoute")
            return path.points.sorted { $0.time < $1.time }
        }
        let metadata = path { $0.metadata.merging(metadata) { _, new in new } }
        func date(_ seconds: Double?) -> Date? {
            seconds.map(Date.init(timeIntervalSinceReferenceDate:))
        }
        return HKWorkoutRoute(
            _record: SampleRecord(
                HKSeriesType.workoutRoute(), start: date(points.first?.time) ?? workout.startDate,
                end: date(points.last?.time) ?? workout.endDate, device: device,
                metadata: metadata.isEmpty ? nil : metadata),
            points: points)
    }
}

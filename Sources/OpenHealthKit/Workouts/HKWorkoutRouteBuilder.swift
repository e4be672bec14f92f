import Foundation
public import FoundationGaps
import HealthEngine

/// A builder that collects the locations of a workout's route and saves it.
///
/// ```swift
/// let builder = HKWorkoutRouteBuilder(healthStore: store, device: nil)
/// try await builder.insertRouteData(locations)
/// let route = try await builder.finishRoute(with: workout, metadata: nil)
/// ```
// Unchecked: all mutable state is in `state`, which is locked.
open class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
    private struct State {
        var phase = SeriesPhase.open
        var points: [RoutePoint] = []
        var metadata: [String: Any] = [:]
    }

    private enum Ownership { case standalone, partOfWorkout }

    private let state = Locked(State())
    private let device: HKDevice?
    private let ownership: Ownership

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - healthStore: The store to save to.
    ///   - device: The device that records the locations, or nil.
    public init(healthStore: HKHealthStore, device: HKDevice?) {
        self.device = device
        ownership = .standalone
        super.init(healthStore: healthStore)
    }

    /// Creates the route builder of a workout builder, which finishes the route together with the
    /// workout. Not part of Apple's API.
    init(_partOfWorkoutIn healthStore: HKHealthStore, device: HKDevice?) {
        self.device = device
        ownership = .partOfWorkout
        super.init(healthStore: healthStore)
    }

    /// Adds locations. If one is invalid, none is added.
    ///
    /// An invalid coordinate or a number that is not finite is `errorInvalidArgument`.
    ///
    /// - Parameters:
    ///   - routeData: The locations, in any order.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func insertRouteData(
        _ routeData: [CLLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let points = routeData.map { RoutePoint($0) }
        healthStore.write(completion) { [state] _ in
            guard points.allSatisfy(\.isValid) else {
                throw HKError(
                    .errorInvalidArgument, "A location of the route has invalid coordinates")
            }
            try state { (state) throws(HKError) in
                try state.phase.requireOpen("insertRouteData")
                state.points += points
            }
        }
    }

    /// Adds locations. If one is invalid, none is added.
    ///
    /// - Parameter routeData: The locations, in any order.
    /// - Throws: ``HKError``; `errorInvalidArgument` for an invalid coordinate, a number that is
    ///   not finite, or a finished or discarded route.
    open func insertRouteData(_ routeData: [CLLocation]) async throws {
        try await healthStore.awaitSuccess { insertRouteData(routeData, completion: $0) }
    }

    /// Adds metadata. A later value replaces an earlier one with the same key.
    ///
    /// - Parameters:
    ///   - metadata: Strings, numbers, dates and quantities by key. Other values are rejected when
    ///     the route is saved.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let sendableMetadata = SendableMetadata(values: metadata)
        healthStore.write(completion) { [state] _ in
            try state { (state) throws(HKError) in
                try state.phase.requireOpen("addMetadata")
                state.metadata.merge(sendableMetadata.values) { _, new in new }
            }
        }
    }

    /// Adds metadata. A later value replaces an earlier one with the same key.
    ///
    /// - Parameter metadata: Strings, numbers, dates and quantities by key. Other values are
    ///   rejected when the route is saved.
    /// - Throws: ``HKError``; `errorInvalidArgument` for a finished or discarded route.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        try await healthStore.awaitSuccess { addMetadata(metadata, completion: $0) }
    }

    /// Saves the route and associates it with a stored workout.
    ///
    /// The app needs share permission for both workouts and routes (Semantics §8.10). A route
    /// without locations is saved too, with the times of the workout. For the route builder of a
    /// workout builder, this call is `errorInvalidArgument`, because the route is finished with the
    /// workout.
    ///
    /// - Parameters:
    ///   - workout: The stored workout.
    ///   - metadata: Metadata to add, or nil.
    ///   - completion: Receives the saved route, or nil and the error. Called on a background
    ///     queue.
    @preconcurrency
    open func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?,
        completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
    ) {
        let sendableMetadata = SendableMetadata(values: metadata ?? [:])
        let saved = Locked<HKWorkoutRoute?>(nil)
        healthStore.write(
            { completion($0 ? saved { $0 } : nil, $1) },
            { [self] _ in
                guard ownership == .standalone else {
                    throw HKError(
                        .errorInvalidArgument,
                        "The route of a workout builder is finished with its workout")
                }
                let route = try save(with: workout, metadata: sendableMetadata.values)
                saved { $0 = route }
            })
    }

    /// Saves the route and associates it with a stored workout; see the completion-handler form.
    ///
    /// - Parameters:
    ///   - workout: The stored workout.
    ///   - metadata: Metadata to add, or nil.
    /// - Returns: The saved route.
    /// - Throws: ``HKError``; `errorInvalidArgument` for a finished or discarded route, a workout
    ///   that is not stored, and the route builder of a workout builder.
    @discardableResult
    open func finishRoute(
        with workout: HKWorkout, metadata: [String: Any]?
    ) async throws -> HKWorkoutRoute {
        try await healthStore.awaitValue { done in
            finishRoute(with: workout, metadata: metadata) { done($0, $1) }
        }
    }

    open override func discard() {
        state { if $0.phase == .open { $0.phase = .discarded } }
    }

    /// Saves the route of a workout builder with the finished workout. A route without locations is
    /// discarded instead. A route that was discarded before is not saved.
    func finish(with workout: HKWorkout) throws {
        guard needsSaving else { return discard() }
        _ = try save(with: workout, metadata: [:])
    }

    /// Checks in advance whether the route can be saved with the workout.
    ///
    /// - Throws: The errors of ``finish(with:)`` that can be detected in advance.
    func checkFinish(with workout: HKWorkout) throws {
        guard needsSaving else { return }
        try healthStore.requireSavable([try route(of: workout, metadata: [:])])
    }

    private var needsSaving: Bool { state { $0.phase == .open && !$0.points.isEmpty } }

    private func save(with workout: HKWorkout, metadata: [String: Any]) throws -> HKWorkoutRoute {
        let route = try route(of: workout, metadata: metadata)
        try healthStore.commit([route], to: workout)
        state { $0.phase = .finished }
        return try healthStore.stored(route)
    }

    private func route(of workout: HKWorkout, metadata: [String: Any]) throws -> HKWorkoutRoute {
        let points = try state { (state) throws(HKError) in
            try state.phase.requireOpen("finishRoute")
            return state.points.sorted { $0.time < $1.time }
        }
        let metadata = state { $0.metadata.merging(metadata) { _, new in new } }
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

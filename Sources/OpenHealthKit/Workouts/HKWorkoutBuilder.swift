public import Foundation
import HealthEngine

/// A builder that collects a workout step by step and saves it.
///
/// ```swift
/// let builder = HKWorkoutBuilder(healthStore: store, configuration: run, device: nil)
/// try await builder.beginCollection(at: start)
/// try await builder.addSamples(samples)          // saved at once
/// try await builder.endCollection(at: end)
/// let workout = try await builder.finishWorkout()
/// ```
/// An app begins the collection, ends it and finishes the workout, in this order. Samples and
/// events can be added while the collection is running. Metadata and activities can be added at any
/// time before the workout is finished or discarded. A step in another order is
/// `errorInvalidArgument` and has no effect (Semantics §10.8). Calls take effect serially, in the
/// order in which they were made, except ``discardWorkout()``, which takes effect at once.
// Unchecked: all mutable state is locked.
open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
    let healthStore: HKHealthStore
    let collection = Locked(WorkoutCollection())
    let associatedRoute = Locked<HKWorkoutRouteBuilder?>(nil)
    private let configuration: WorkoutActivityConfiguration
    private let ownDevice: HKDevice?

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - healthStore: The store to save to.
    ///   - configuration: The activity type and its location.
    ///   - device: The device that records the workout, or nil.
    public init(
        healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?
    ) {
        self.healthStore = healthStore
        self.configuration = configuration.stored
        ownDevice = device
    }

    /// The device that records the workout, or nil.
    open var device: HKDevice? { ownDevice }

    /// The start of the collection; nil before the collection has begun.
    open var startDate: Date? { collection { $0.start } }

    /// The end of the collection; nil before the collection has ended.
    open var endDate: Date? { collection { $0.end } }

    /// A copy of the configuration.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(configuration) }

    /// The added metadata; a later value replaces an earlier one with the same key.
    open var metadata: [String: Any] { collection { $0.metadata } }

    /// The added events, in the order in which they were added.
    open var workoutEvents: [HKWorkoutEvent] { collection { $0.events } }

    /// The added activities, in the order in which they were added.
    open var workoutActivities: [HKWorkoutActivity] {
        collection { $0.activities }.map(HKWorkoutActivity.init(_activity:))
    }

    /// The merged statistics of the samples added so far, by type.
    open var allStatistics: [HKQuantityType: HKStatistics] {
        let types = collection { $0.samples.keys.compactMap { $0 as? HKQuantityType } }
        var all: [HKQuantityType: HKStatistics] = [:]
        for type in types { all[type] = statistics(for: type) }
        return all
    }

    /// Begins the collection. Can be called only once, before samples or events are added.
    ///
    /// - Parameters:
    ///   - startDate: The start of the workout.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func beginCollection(
        withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in try state.begin(at: startDate) }
            builder.didBeginCollection()
        }
    }

    /// Begins the collection. Can be called only once, before samples or events are added.
    ///
    /// - Parameter startDate: The start of the workout.
    /// - Throws: ``HKError``; `errorInvalidArgument` if the collection has begun before or the
    ///   workout was discarded.
    open func beginCollection(at startDate: Date) async throws {
        try await healthStore.awaitSuccess { beginCollection(withStart: startDate, completion: $0) }
    }

    /// Adds samples to the workout. Samples that are not stored yet are saved at once in one
    /// transaction, as by `save`.
    ///
    /// - Parameters:
    ///   - samples: Samples other than workouts and series; none may start before the workout.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func add(
        _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        step(completion) { try $0.saveAndAssociate(samples) }
    }

    /// Adds samples to the workout; see ``add(_:completion:)``.
    ///
    /// - Parameter samples: Samples other than workouts and series; none may start before the
    ///   workout.
    /// - Throws: ``HKError``; `errorInvalidArgument` before and after the collection and for a
    ///   sample that cannot be added. Then no sample is added.
    open func addSamples(_ samples: [HKSample]) async throws {
        try await healthStore.awaitSuccess { add(samples, completion: $0) }
    }

    /// Adds events, such as pauses, laps and segments. A pause lasts until the next resumption, or
    /// until the end of the workout.
    ///
    /// - Parameters:
    ///   - workoutEvents: The events; none may end before the workout begins.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func addWorkoutEvents(
        _ workoutEvents: [HKWorkoutEvent],
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in try state.add(workoutEvents) }
            builder.didAddEvents()
        }
    }

    /// Adds events, such as pauses, laps and segments. A pause lasts until the next resumption, or
    /// until the end of the workout.
    ///
    /// - Parameter workoutEvents: The events; none may end before the workout begins.
    /// - Throws: ``HKError``; `errorInvalidArgument` before and after the collection and for an
    ///   event that ends before the workout begins. Then no event is added.
    open func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
        try await healthStore.awaitSuccess { addWorkoutEvents(workoutEvents, completion: $0) }
    }

    /// Adds metadata, until the workout is finished or discarded. A later value replaces an earlier
    /// one with the same key. Values of other classes than those below are `errorInvalidArgument`.
    ///
    /// - Parameters:
    ///   - metadata: Strings, numbers, dates and quantities by key.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let sendableMetadata = SendableMetadata(values: metadata)
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in
                try state.add(sendableMetadata.values)
            }
        }
    }

    /// Adds metadata, until the workout is finished or discarded. A later value replaces an earlier
    /// one with the same key. Values of other classes than those below are `errorInvalidArgument`.
    ///
    /// - Parameter metadata: Strings, numbers, dates and quantities by key.
    /// - Throws: ``HKError``; `errorInvalidArgument` for a value of another class and for a
    ///   finished or discarded workout.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        try await healthStore.awaitSuccess { addMetadata(metadata, completion: $0) }
    }

    /// Adds an activity of a multisport workout.
    ///
    /// - Parameters:
    ///   - workoutActivity: The activity.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func addWorkoutActivity(
        _ workoutActivity: HKWorkoutActivity,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in
                try state.add(workoutActivity.value)
            }
        }
    }

    /// Adds an activity of a multisport workout.
    ///
    /// - Parameter workoutActivity: The activity.
    /// - Throws: ``HKError``; `errorInvalidArgument` for an activity that was already added or that
    ///   ends before it starts, and for a finished or discarded workout.
    open func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
        try await healthStore.awaitSuccess { addWorkoutActivity(workoutActivity, completion: $0) }
    }

    /// Sets the end of an added activity. An activity that was not added is `errorInvalidArgument`.
    ///
    /// - Parameters:
    ///   - UUID: The identifier of the activity.
    ///   - endDate: The end, not before the start of the activity.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func updateActivity(
        uuid UUID: UUID, end endDate: Date,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in
                try state.updateActivity(UUID, end: endDate)
            }
        }
    }

    /// Sets the end of an added activity.
    ///
    /// - Parameters:
    ///   - UUID: The identifier of the activity.
    ///   - endDate: The end, not before the start of the activity.
    /// - Throws: ``HKError``; `errorInvalidArgument` for an unknown activity, an end before its
    ///   start, and a finished or discarded workout.
    open func updateActivity(uuid UUID: UUID, end endDate: Date) async throws {
        try await healthStore.awaitSuccess {
            updateActivity(uuid: UUID, end: endDate, completion: $0)
        }
    }

    /// Adds metadata to an added activity. A later value replaces an earlier one with the same key.
    ///
    /// - Parameters:
    ///   - UUID: The identifier of the activity.
    ///   - metadata: Strings, numbers, dates and quantities by key; other values are dropped.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func updateActivity(
        uuid UUID: UUID, adding metadata: [String: Any],
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let sendableMetadata = SendableMetadata(values: metadata)
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in
                try state.updateActivity(UUID, adding: sendableMetadata.values)
            }
        }
    }

    /// Adds metadata to an added activity. A later value replaces an earlier one with the same key.
    ///
    /// - Parameters:
    ///   - UUID: The identifier of the activity.
    ///   - metadata: Strings, numbers, dates and quantities by key; other values are dropped.
    /// - Throws: ``HKError``; `errorInvalidArgument` for an unknown activity and for a finished or
    ///   discarded workout.
    open func updateActivity(uuid UUID: UUID, adding metadata: [String: Any]) async throws {
        try await healthStore.awaitSuccess {
            updateActivity(uuid: UUID, adding: metadata, completion: $0)
        }
    }

    /// Ends the collection. Afterwards, samples and events cannot be added. Metadata and activities
    /// still can.
    ///
    /// - Parameters:
    ///   - endDate: The end of the workout, not before its start.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func endCollection(
        withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        step(completion) { builder in
            builder.willEndCollection()
            try builder.collection { (state) throws(HKError) in try state.end(at: endDate) }
            builder.didEndCollection()
        }
    }

    /// Ends the collection. Afterwards, samples and events cannot be added. Metadata and activities
    /// still can.
    ///
    /// - Parameter endDate: The end of the workout, not before its start.
    /// - Throws: ``HKError``; `errorInvalidArgument` if no collection is running or the end is
    ///   before the start.
    open func endCollection(at endDate: Date) async throws {
        try await healthStore.awaitSuccess { endCollection(withEnd: endDate, completion: $0) }
    }

    /// Saves the workout and associates the added samples with it. The rules of `save` apply. If
    /// the route builder of ``seriesBuilder(for:)`` has locations, the route is saved too.
    ///
    /// While the device is locked, the workout is saved, but cannot be read.
    ///
    /// - Parameter completion: Receives the workout and no error, or nil and the error. If the
    ///   workout is saved while the device is locked, both are nil. Called on a background queue.
    @preconcurrency
    open func finishWorkout(
        completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void
    ) {
        let finished = Locked<HKWorkout?>(nil)
        step(
            { completion($0 ? finished { $0 } : nil, $1) },
            { builder in
                let workout = try builder.finish()
                finished { $0 = workout }
            })
    }

    /// Saves the workout and associates the added samples with it. The rules of `save` apply. If
    /// the route builder of ``seriesBuilder(for:)`` has locations, the route is saved too.
    ///
    /// - Returns: The saved workout; nil while the device is locked.
    /// - Throws: ``HKError``; `errorInvalidArgument` unless the collection has ended and the
    ///   workout is neither finished nor discarded.
    @discardableResult
    open func finishWorkout() async throws -> HKWorkout? {
        try await healthStore.awaitValue { done in finishWorkout { done(.some($0), $1) } }
    }

    /// Discards the workout, unless it is finished. Added samples remain saved.
    open func discardWorkout() {
        collection { $0.discard() }
        associatedRoute { $0 }?.discard()
        didDiscard()
        didChange()
    }

    /// Returns the seconds from the start of the workout to a date, without pauses.
    ///
    /// - Parameter date: The date; after the end of the workout, its end is used.
    /// - Returns: Seconds; 0 before the collection has begun, and for a date before the start of
    ///   the workout.
    open func elapsedTime(at date: Date) -> TimeInterval {
        let events = uncollectedEvents
        return collection { $0.elapsedTime(at: date, additional: events) }
    }

    /// Pauses and resumptions that are not events of the workout, but don't count towards its
    /// duration.
    var uncollectedEvents: [HKWorkoutEvent] { [] }

    /// Returns the merged statistics of one type over the samples added so far.
    ///
    /// - Parameter quantityType: The type.
    /// - Returns: The statistics; nil if there are no samples of the type or the store cannot be
    ///   read.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        guard let uuids = collection({ $0.samples[quantityType] }) else { return nil }
        return try? healthStore.statistics(of: quantityType, over: .samples(uuids))
    }

    /// Returns the builder of a series that is finished together with the workout.
    ///
    /// - Parameter seriesType: The type of the series.
    /// - Returns: For `HKSeriesType.workoutRoute()` a route builder, the same at each call; nil for
    ///   other types.
    open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
        guard seriesType == HKSeriesType.workoutRoute() else { return nil }
        return associatedRoute { [healthStore, ownDevice] route in
            let builder =
                route ?? HKWorkoutRouteBuilder(_partOfWorkoutIn: healthStore, device: ownDevice)
            route = builder
            return builder
        }
    }

    // Live builders override these methods. They are called on the store's write queue, except
    // `didDiscard`, which is called on the thread of `discardWorkout`, and `didAddEvents` for a
    // pause or resumption of the session, which is called on the thread of the session's method.
    // `didChange` is called after each step, and after `didDiscard`.

    func didBeginCollection() {}
    func didAddSamples(_ types: Set<HKSampleType>) {}
    func didAddEvents() {}
    func willEndCollection() {}
    func didEndCollection() {}
    func didDiscard() {}
    func didChange() {}
}

/// Metadata that is passed to the store's queue.
// Unchecked: the dictionary is not mutated, and the values that are accepted are strings, numbers,
// dates and quantities, which are immutable.
struct SendableMetadata: @unchecked Sendable {
    let values: [String: Any]
}

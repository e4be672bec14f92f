public import Foundation
import HealthEngine

/// Gathers a workout step by step, and saves it at the end.
///
/// ```swift
/// let builder = HKWorkoutBuilder(healthStore: store, configuration: run, device: nil)
/// try await builder.beginCollection(at: start)
/// try await builder.addSamples(samples)          // saved at once
/// try await builder.endCollection(at: end)
/// let workout = try await builder.finishWorkout()
/// ```
/// The steps come in this order; another one is `errorInvalidArgument` and changes nothing
/// (Semantics §10.8). Calls take effect one after another, in the order they were made.
// Unchecked: all that changes is in locked boxes.
open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
    let healthStore: HKHealthStore
    let collection = Locked(WorkoutCollection())
    let associatedRoute = Locked<HKWorkoutRouteBuilder?>(nil)
    private let configuration: WorkoutActivityConfiguration
    private let ownDevice: HKDevice?

    /// A builder that saves into a store.
    ///
    /// - Parameter device: What the workout is recorded with; nil where nobody says.
    public init(
        healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?
    ) {
        self.healthStore = healthStore
        self.configuration = configuration.stored
        ownDevice = device
    }

    /// What the workout is recorded with.
    open var device: HKDevice? { ownDevice }

    /// When collection began; nil before.
    open var startDate: Date? { collection { $0.start } }

    /// When collection ended; nil before.
    open var endDate: Date? { collection { $0.end } }

    /// What the workout is; a copy.
    open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(configuration) }

    /// What was added, the latest value for each key.
    open var metadata: [String: Any] { collection { $0.metadata } }

    /// The events added, in the order they came.
    open var workoutEvents: [HKWorkoutEvent] { collection { $0.events } }

    /// The activities added, in the order they came.
    open var workoutActivities: [HKWorkoutActivity] {
        collection { $0.activities }.map(HKWorkoutActivity.init(_activity:))
    }

    /// The numbers so far, by type.
    open var allStatistics: [HKQuantityType: HKStatistics] {
        let types = collection { $0.samples.keys.compactMap { $0 as? HKQuantityType } }
        var all: [HKQuantityType: HKStatistics] = [:]
        for type in types { all[type] = statistics(for: type) }
        return all
    }

    /// Begins the workout. Once, and first of all.
    @preconcurrency
    open func beginCollection(
        withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in try state.begin(at: startDate) }
            builder.didBeginCollection()
        }
    }

    /// Begins the workout. Once, and first of all.
    open func beginCollection(at startDate: Date) async throws {
        try await healthStore.succeeding { beginCollection(withStart: startDate, completion: $0) }
    }

    /// Makes samples part of the workout; those that no store holds are saved at once, all or none,
    /// under the rules of `save`. Their start must not lie before the builder's.
    @preconcurrency
    open func add(
        _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        step(completion) { try $0.take(samples) }
    }

    /// Makes samples part of the workout; see ``add(_:completion:)``.
    open func addSamples(_ samples: [HKSample]) async throws {
        try await healthStore.succeeding { add(samples, completion: $0) }
    }

    /// Adds pauses, laps, segments and markers. A pause counts until the next resumption.
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

    /// Adds pauses, laps, segments and markers; see the completion form.
    open func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
        try await healthStore.succeeding { addWorkoutEvents(workoutEvents, completion: $0) }
    }

    /// Adds metadata to what is there; what comes later wins. Until the workout is finished.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let given = GivenMetadata(values: metadata)
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in try state.add(given.values) }
        }
    }

    /// Adds metadata to what is there; see the completion form.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        try await healthStore.succeeding { addMetadata(metadata, completion: $0) }
    }

    /// Adds a leg of a workout of several sports.
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

    /// Adds a leg of a workout of several sports.
    open func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
        try await healthStore.succeeding { addWorkoutActivity(workoutActivity, completion: $0) }
    }

    /// Ends an activity that was added; `errorInvalidArgument` for another one.
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

    /// Ends an activity that was added; `errorInvalidArgument` for another one.
    open func updateActivity(uuid UUID: UUID, end endDate: Date) async throws {
        try await healthStore.succeeding {
            updateActivity(uuid: UUID, end: endDate, completion: $0)
        }
    }

    /// Adds metadata to an activity that was added; what comes later wins.
    @preconcurrency
    open func updateActivity(
        uuid UUID: UUID, adding metadata: [String: Any],
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let given = GivenMetadata(values: metadata)
        step(completion) { builder in
            try builder.collection { (state) throws(HKError) in
                try state.updateActivity(UUID, adding: given.values)
            }
        }
    }

    /// Adds metadata to an activity that was added; what comes later wins.
    open func updateActivity(uuid UUID: UUID, adding metadata: [String: Any]) async throws {
        try await healthStore.succeeding {
            updateActivity(uuid: UUID, adding: metadata, completion: $0)
        }
    }

    /// Ends the workout: nothing but metadata and activities can be added any more.
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

    /// Ends the workout: nothing but metadata and activities can be added any more.
    open func endCollection(at endDate: Date) async throws {
        try await healthStore.succeeding { endCollection(withEnd: endDate, completion: $0) }
    }

    /// Saves the workout with everything associated, under the rules of `save`.
    ///
    /// While the device is locked it is saved too, but can't be read: both answers are nil then.
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

    /// Saves the workout with everything associated; nil while the device is locked.
    @discardableResult
    open func finishWorkout() async throws -> HKWorkout? {
        try await healthStore.value { done in finishWorkout { done(.some($0), $1) } }
    }

    /// Gives the workout up. Samples that were added stay saved.
    open func discardWorkout() {
        collection { $0.discard() }
        associatedRoute { $0 }?.discard()
        didDiscard()
    }

    /// Seconds from begin to `date`, or to the end if that came sooner, pauses left out; 0 before
    /// the begin.
    open func elapsedTime(at date: Date) -> TimeInterval {
        collection { $0.elapsedTime(at: date) }
    }

    /// The numbers of one type over the samples added so far, merged like any statistics; nil where
    /// there are none.
    open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
        guard let uuids = collection({ $0.samples[quantityType] }) else { return nil }
        return try? healthStore.statistics(of: quantityType, over: .samples(uuids))
    }

    /// What gathers a series for the workout, finished together with it: a route's builder for
    /// `HKSeriesType.workoutRoute()`, always the same; nil for any other type.
    open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
        guard seriesType == HKSeriesType.workoutRoute() else { return nil }
        return associatedRoute { [healthStore, ownDevice] route in
            let builder =
                route ?? HKWorkoutRouteBuilder(_partOfWorkoutIn: healthStore, device: ownDevice)
            route = builder
            return builder
        }
    }

    // Below: what a live builder takes part in; it runs on the store's writing queue.

    func didBeginCollection() {}
    func didAddSamples(_ types: Set<HKSampleType>) {}
    func didAddEvents() {}
    func willEndCollection() {}
    func didEndCollection() {}
    func didDiscard() {}
}

/// Metadata on its way to the store's queue.
// Unchecked: the dictionary is the call's own, and its values are texts, numbers, dates and
// quantities, which don't change.
struct GivenMetadata: @unchecked Sendable {
    let values: [String: Any]
}

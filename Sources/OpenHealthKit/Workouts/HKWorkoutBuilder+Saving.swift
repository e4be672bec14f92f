import Foundation
import HealthEngine
import HealthStorage

extension HKWorkoutBuilder {
    /// Runs a step of the builder on the store's write queue. Then calls the completion handler on
    /// a background queue.
    func step(
        _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable (HKWorkoutBuilder) throws -> Void
    ) {
        healthStore.write(completion) { [self] _ in
            try body(self)
            didChange()
        }
    }

    /// Saves the samples that are not stored yet, and associates all samples with the workout.
    ///
    /// - Throws: The errors of ``WorkoutCollection/checkSamples(_:)`` and of saving; then no sample
    ///   is associated.
    func saveAndAssociate(_ samples: [HKSample]) throws {
        try collection { (state) throws(HKError) in try state.checkSamples(samples) }
        let unsaved = try samples.filter { sample in
            try sample.origin == nil
                && healthStore.connection.store.object(SampleUUID(sample.uuid)) == nil
        }
        if !unsaved.isEmpty { try healthStore.commit(unsaved, to: nil) }
        collection { $0.associate(samples) }
        if !samples.isEmpty { didAddSamples(Set(samples.map(\.sampleType))) }
    }

    /// Saves the workout, associates the collected samples with it, and saves its route.
    ///
    /// - Returns: The workout as stored; nil while the device is locked.
    func finish() throws -> HKWorkout? {
        try collection { (state) throws(HKError) in try state.checkFinish() }
        let state = collection { CollectedWorkout($0) }
        guard let start = state.start, let end = state.end else { return nil }
        let workout = HKWorkout(
            _record: SampleRecord(
                .workoutType(), start: start, end: end, device: device,
                metadata: state.metadata.isEmpty ? nil : state.metadata),
            content: try content(of: state))
        let route = associatedRoute { $0 }
        // The route is checked before the workout is saved, so that an invalid route does not leave
        // a workout without it.
        try route?.checkFinish(with: workout)
        try healthStore.commit([workout], to: nil, members: state.samples.values.flatMap { $0 })
        collection { $0.finish() }
        try route?.finish(with: workout)
        guard healthStore.connection.protectedData.isAccessible else { return nil }
        return try healthStore.stored(workout)
    }

    private func content(of state: CollectedWorkout) throws -> Workout {
        var content = Workout(
            activityType: Int(workoutConfiguration.activityType.rawValue),
            duration: elapsedTime(at: .distantFuture),
            events: state.events.map(\.value))
        content.statistics = try healthStore.workoutStatistics(of: state.samples, during: nil)
        content.activities = try state.activities.map { activity in
            try finished(activity, of: state)
        }
        return content
    }

    /// Completes an activity with its end, events, duration and statistics. The end of the workout
    /// is the end of an activity without one. An activity without a start, or that starts after its
    /// end, is unchanged.
    private func finished(
        _ activity: WorkoutActivity, of state: CollectedWorkout
    ) throws -> WorkoutActivity {
        var activity = activity
        let end = activity.end ?? state.end?.timeIntervalSinceReferenceDate
        guard let start = activity.start, let end, start <= end else { return activity }
        activity.end = end
        activity.events = state.events.map(\.value).filter { (start...end).contains($0.start) }
        activity.duration = (state.events + uncollectedEvents).map(\.value)
            .activeTime(from: start, to: end)
        activity.statistics = try healthStore.workoutStatistics(
            of: state.samples, during: start..<end)
        return activity
    }
}

/// A copy of a builder's collected data at the time when it finishes.
private struct CollectedWorkout {
    var start: Date?
    var end: Date?
    var metadata: [String: Any]
    var events: [HKWorkoutEvent]
    var activities: [WorkoutActivity]
    var samples: [HKSampleType: [UUID]]

    init(_ collection: WorkoutCollection) {
        start = collection.start
        end = collection.end
        metadata = collection.metadata
        events = collection.events
        activities = collection.activities
        samples = collection.samples
    }
}

import Foundation
import HealthEngine
import HealthStorage

// Store access for the builders of workouts and series. Writes are called on the store's write
// queue; ``statistics(of:over:)`` can be called on any thread.
extension HKHealthStore {
    /// The samples that statistics of a workout or an activity include.
    enum WorkoutExtent {
        case samples([UUID])
        /// The parts of these samples within a range, in seconds since 2001-01-01T00:00:00Z. The
        /// value of a cumulative sample across a boundary is divided in proportion to time.
        case clipped([UUID], Range<Double>)
    }

    /// Returns the statistics of a type over samples, merged as in a statistics query (Semantics
    /// §1). Nil without data and for a type that is not in the catalogue.
    func statistics(of type: HKQuantityType, over extent: WorkoutExtent) throws -> HKStatistics? {
        guard let row = type.row else { return nil }
        let result: StatisticsResult?
        switch extent {
        case .samples(let uuids):
            result = try connection.store.overallStatistics(SampleRequest(row, .any(of: uuids)))
        case .clipped(let uuids, let range):
            result = try connection.store.statistics(
                SampleRequest(row, .any(of: uuids)), over: [range.lowerBound, range.upperBound])
        }
        guard let result, let bucket = result.buckets.first else { return nil }
        return HKStatistics(
            _type: type, statistics: bucket, options: .all(for: type),
            unit: try HKUnit(parsing: result.unit), sources: [])
    }

    /// Computes the statistics that are stored with a workout or one of its activities, in order of
    /// the type identifiers. Types without data are omitted.
    ///
    /// - Parameters:
    ///   - samples: The UUIDs of the workout's samples, by type.
    ///   - range: The range of an activity, in seconds since 2001-01-01T00:00:00Z; nil for the
    ///     whole workout.
    func workoutStatistics(
        of samples: [HKSampleType: [UUID]], during range: Range<Double>?
    ) throws -> [WorkoutStatistics] {
        let types = samples.keys.compactMap { $0 as? HKQuantityType }
        return try types.sorted { $0.identifier < $1.identifier }.compactMap { type in
            let uuids = samples[type] ?? []
            let statistics = try statistics(
                of: type, over: range.map { .clipped(uuids, $0) } ?? .samples(uuids))
            return statistics.map { WorkoutStatistics($0) }
        }
    }

    /// Returns the stored form of a sample, with its source; the given object if the sample is not
    /// stored.
    func stored<Kind: HKSample>(_ sample: Kind) throws -> Kind {
        let found = try connection.store.object(SampleUUID(sample.uuid))
        let object = found.flatMap { SampleObjects.objects($0).first }
        return object as? Kind ?? sample
    }
}

extension SampleFilter {
    /// Matches samples with one of the given UUIDs.
    static func any(of uuids: [UUID]) -> SampleFilter {
        .test(.uuid, .oneOf(uuids.map { .uuid(SampleUUID($0)) }))
    }
}

// Effort scores, and the statistics of stored workouts to which samples are added.
extension HKHealthStore {
    /// Associates an effort score with a stored workout. If an activity is given, also adds the
    /// score to the scores of that activity. Saves the score if it is not stored yet.
    ///
    /// - Throws: `errorInvalidArgument` for a sample that is not an effort score, for an activity
    ///   that the workout does not have, and for a workout that is not stored;
    ///   `errorAuthorizationDenied` if the app may not share workouts; the errors of saving.
    func relateEffort(_ sample: HKSample, to workout: HKWorkout, _ activity: HKWorkoutActivity?)
        throws
    {
        try checkEffort(sample, workout)
        if let activity { try checkActivity(activity, of: stored(workout).content) }
        let store = try connection.store
        let known = try translatingErrors { try store.object(SampleUUID(sample.uuid)) }
        if known == nil {
            try commit([sample], to: workout)
        } else {
            try store.associate([SampleUUID(sample.uuid)], with: SampleUUID(workout.uuid))
        }
        try updateEffort(of: workout, activity) { uuids in
            let uuid = sample.uuid.uuidString
            if !uuids.contains(uuid) { uuids.append(uuid) }
        }
        connection.feed.wake()
    }

    /// Removes the association of an effort score with a stored workout. If an activity is given,
    /// also removes the score from the scores of that activity.
    ///
    /// - Throws: `errorInvalidArgument` as ``relateEffort(_:to:_:)``, and if the score is not
    ///   stored; `errorAuthorizationDenied` if the app may not share workouts.
    func unrelateEffort(
        _ sample: HKSample, from workout: HKWorkout, _ activity: HKWorkoutActivity?
    ) throws {
        try checkEffort(sample, workout)
        // Before anything changes.
        if let activity { try checkActivity(activity, of: stored(workout).content) }
        let store = try connection.store
        try store.dissociate([SampleUUID(sample.uuid)], from: SampleUUID(workout.uuid))
        try updateEffort(of: workout, activity) { $0.removeAll { $0 == sample.uuid.uuidString } }
        connection.feed.wake()
    }

    private func checkEffort(_ sample: HKSample, _ workout: HKWorkout) throws {
        let types = [
            HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
        ]
        guard types.contains(where: { $0 == sample.sampleType }) else {
            throw HKError(
                .errorInvalidArgument, "A sample of \(sample.sampleType) is not an effort score")
        }
        guard authorizationStatus(for: .workoutType()) == .sharingAuthorized else {
            throw HKError(
                .errorAuthorizationDenied,
                "The app is not authorized to change workouts of this store")
        }
    }

    private func updateEffort(
        of workout: HKWorkout, _ activity: HKWorkoutActivity?, _ change: (inout [String]) -> Void
    ) throws {
        guard let activity else { return }
        var content = try stored(workout).content
        let index = try checkActivity(activity, of: content)
        var uuids = content.activities[index].effortSamples ?? []
        change(&uuids)
        content.activities[index].effortSamples = uuids.isEmpty ? nil : uuids
        try connection.store.update(content, of: SampleUUID(workout.uuid))
    }

    @discardableResult
    private func checkActivity(
        _ activity: HKWorkoutActivity, of content: Workout
    ) throws(HKError) -> Int {
        let uuid = activity.uuid.uuidString
        guard let index = content.activities.firstIndex(where: { $0.uuid == uuid }) else {
            throw HKError(.errorInvalidArgument, "The workout doesn't have this activity")
        }
        return index
    }

    /// Recomputes the statistics of a stored workout for the types of added samples; the statistics
    /// of other types are unchanged.
    func updateStatistics(of workout: HKSample, after samples: [HKSample]) throws {
        let store = try connection.store
        guard let workout = try stored(workout) as? HKWorkout else { return }
        var content = workout.content
        for type in Set(samples.compactMap { $0.sampleType as? HKQuantityType }) {
            guard let row = type.row else { continue }
            let result = try store.overallStatistics(
                SampleRequest(row, .memberOf(SampleUUID(workout.uuid))))
            guard let result, let bucket = result.buckets.first else { continue }
            let statistics = HKStatistics(
                _type: type, statistics: bucket, options: .all(for: type),
                unit: try HKUnit(parsing: result.unit), sources: [])
            content.statistics.removeAll { $0.type == type.identifier }
            content.statistics.append(WorkoutStatistics(statistics))
        }
        content.statistics.sort { $0.type < $1.type }
        try store.update(content, of: SampleUUID(workout.uuid))
    }
}

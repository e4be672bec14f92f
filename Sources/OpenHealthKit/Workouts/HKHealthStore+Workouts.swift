import Foundation
import HealthEngine
import HealthStorage

// Store access for the builders of workouts and series, on the write queue.
extension HKHealthStore {
    /// The samples that a workout's statistics include.
    enum WorkoutExtent {
        case samples([UUID])
        /// The parts of the samples in a range; samples across a boundary are split.
        case clipped([UUID], Range<Double>)
    }

    /// Returns the merged statistics of a type over samples (§1); nil without data.
    func statistics(of type: HKQuantityType, over extent: WorkoutExtent) throws -> HKStatistics? {
        guard let row = type.row else { return nil }
        let answer: StatisticsAnswer?
        switch extent {
        case .samples(let uuids):
            answer = try connection.store.wholeStatistics(SampleRequest(row, .any(of: uuids)))
        case .clipped(let uuids, let range):
            answer = try connection.store.statistics(
                SampleRequest(row, .any(of: uuids)), over: [range.lowerBound, range.upperBound])
        }
        guard let answer, let bucket = answer.buckets.first else { return nil }
        return HKStatistics(
            _type: type, statistics: bucket, options: .all(for: type),
            unit: try HKUnit(parsing: answer.unit), sources: [])
    }

    /// Computes the statistics that are stored with a workout, by type.
    ///
    /// - Parameters:
    ///   - samples: The UUIDs of the associated samples, by type.
    ///   - range: The range of an activity in seconds since 2001; nil for the whole workout.
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

    /// Reads an object that was just saved, with its source.
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

// Effort scores, and the statistics of workouts to which samples are added later.
extension HKHealthStore {
    /// Associates an effort score with a stored workout or one of its activities; saves the score
    /// if it is new.
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
        try updateEffort(of: workout, activity) { $0.append(sample.uuid.uuidString) }
        connection.feed.wake()
    }

    /// Removes the association of an effort score with a workout or one of its activities.
    func unrelateEffort(
        _ sample: HKSample, from workout: HKWorkout, _ activity: HKWorkoutActivity?
    ) throws {
        try checkEffort(sample, workout)
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

    /// Recomputes the statistics of a stored workout for the types of added samples.
    func refreshNumbers(of workout: HKSample, after samples: [HKSample]) throws {
        let store = try connection.store
        guard let workout = try stored(workout) as? HKWorkout else { return }
        var content = workout.content
        for type in Set(samples.compactMap { $0.sampleType as? HKQuantityType }) {
            guard let row = type.row else { continue }
            let answer = try store.wholeStatistics(
                SampleRequest(row, .memberOf(SampleUUID(workout.uuid))))
            guard let answer, let bucket = answer.buckets.first else { continue }
            let statistics = HKStatistics(
                _type: type, statistics: bucket, options: .all(for: type),
                unit: try HKUnit(parsing: answer.unit), sources: [])
            content.statistics.removeAll { $0.type == type.identifier }
            content.statistics.append(WorkoutStatistics(statistics))
        }
        content.statistics.sort { $0.type < $1.type }
        try store.update(content, of: SampleUUID(workout.uuid))
    }
}

import Foundation
import HealthEngine
import HealthStorage

// What builders of workouts and series ask of a store, on its writing queue.
extension HKHealthStore {
    /// Over which samples a workout's numbers go.
    enum WorkoutExtent {
        case samples([UUID])
        /// Of the samples, what lies within: what crosses a border is divided.
        case clipped([UUID], Range<Double>)
    }

    /// The numbers of a type over some samples, merged by §1; nil where there are none.
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

    /// What a workout keeps of its numbers, by type.
    ///
    /// - Parameter range: Of an activity; nil for the whole workout.
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

    /// An object just saved, as the store has it, with its source.
    func stored<Kind: HKSample>(_ sample: Kind) throws -> Kind {
        let found = try connection.store.object(SampleUUID(sample.uuid))
        let object = found.flatMap { SampleObjects.objects($0).first }
        return object as? Kind ?? sample
    }
}

extension SampleFilter {
    /// Samples with one of these UUIDs.
    static func any(of uuids: [UUID]) -> SampleFilter {
        .test(.uuid, .oneOf(uuids.map { .uuid(SampleUUID($0)) }))
    }
}

// Effort scores, and the numbers of workouts that samples were added to later.
extension HKHealthStore {
    /// Gives an effort score to a stored workout or a leg of it; a score not stored yet is saved.
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

    /// Takes an effort score from a workout or a leg of it.
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
                .errorInvalidArgument, "A sample of \(sample.sampleType) is no effort score")
        }
        guard authorizationStatus(for: .workoutType()) == .sharingAuthorized else {
            throw HKError(
                .errorAuthorizationDenied, "The app may not change workouts of this store")
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
            throw HKError(.errorInvalidArgument, "The workout has no such activity")
        }
        return index
    }

    /// Computes the numbers of a stored workout anew for the types of samples added to it.
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

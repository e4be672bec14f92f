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

    /// Saves a workout with its associations. Samples deleted meanwhile are left out.
    func commit(_ workout: HKWorkout, members: [UUID]) throws {
        let store = try connection.store
        try commit([workout], to: nil)
        let living = try members.map { SampleUUID($0) }.filter { try store.object($0) != nil }
        if living.isEmpty { return }
        try store.associate(living, with: SampleUUID(workout.uuid))
        connection.feed.wake()
    }

    /// An object just saved, as the store has it, with its source.
    func stored<Kind: HKSample>(_ sample: Kind) throws -> Kind {
        let found = try connection.store.object(SampleUUID(sample.uuid))
        let object = found.flatMap { SampleObjects.objects(from: $0).first }
        return object as? Kind ?? sample
    }
}

extension SampleFilter {
    /// Samples with one of these UUIDs.
    static func any(of uuids: [UUID]) -> SampleFilter {
        .test(.uuid, .oneOf(uuids.map { .uuid(SampleUUID($0)) }))
    }
}

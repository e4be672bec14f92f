import CoreLocation
import HealthKit

struct RunSummary: Identifiable {
    let id: UUID
    let date: Date
    let kilometers: Double
    let minutes: Double
    var pace: Double { kilometers > 0 ? minutes / kilometers : 0 }
}

/// Past runs with their routes, heart rates and splits.
final class RunHistory {

    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func runs() async throws -> [RunSummary] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.workout(HKQuery.predicateForWorkouts(with: .running))],
            sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)])
        return try await descriptor.result(for: store).map { workout in
            RunSummary(
                id: workout.uuid, date: workout.startDate,
                kilometers: workout.statistics(for: HKQuantityType(.distanceWalkingRunning))?
                    .sumQuantity()?.doubleValue(for: .meterUnit(with: .kilo)) ?? 0,
                minutes: workout.duration / 60)
        }
    }

    func yearlyKilometers() async throws -> Double {
        try await runs()
            .filter { Calendar.current.isDate($0.date, equalTo: .now, toGranularity: .year) }
            .map(\.kilometers)
            .reduce(0, +)
    }

    func heartRates(of workout: HKWorkout) async throws -> [(Date, Double)] {
        let bpm = HKUnit(from: "count/min")
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: HKQuantityType(.heartRate),
                    predicate: HKQuery.predicateForObjects(from: workout))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        let samples = try await descriptor.result(for: store)
        let mean = samples.map { $0.quantity.doubleValue(for: bpm) }.reduce(0, +) / Double(max(1, samples.count))
        return samples.map { ($0.startDate, $0.quantity.doubleValue(for: bpm) - mean) }
    }

    func routes(of workout: HKWorkout) async throws -> [HKWorkoutRoute] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKSampleQuery(
                sampleType: HKSeriesType.workoutRoute(),
                predicate: HKQuery.predicateForObjects(from: workout),
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, error in
                if let error = error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: samples as? [HKWorkoutRoute] ?? [])
                }
            }
            store.execute(query)
        }
    }

    func locations(of route: HKWorkoutRoute) async throws -> [CLLocation] {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKWorkoutRouteQuery(route: route) { _, locations, done, error in
                if let error = error {
                    continuation.resume(throwing: error)
                    return
                }
                continuation.resume(returning: locations ?? []) // finds resumed-twice
            }
            store.execute(query)
        }
    }

    func locationStream(of route: HKWorkoutRoute) -> AsyncThrowingStream<CLLocation, Error> {
        AsyncThrowingStream { continuation in
            let query = HKWorkoutRouteQuery(route: route) { _, locations, done, error in
                if let error = error { continuation.finish(throwing: error); return }
                locations?.forEach { continuation.yield($0) }
                if done { continuation.finish() }
            }
            continuation.onTermination = { [store] _ in store.stop(query) }
            store.execute(query)
        }
    }

    /// Cadence of a run from the step samples that belong to it.
    func cadence(of workout: HKWorkout) async throws -> Double {
        let statistics = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(
                type: HKQuantityType(.stepCount),
                predicate: HKQuery.predicateForSamples(withStart: workout.startDate, end: workout.endDate)),
            options: .cumulativeSum
        ).result(for: store)
        let steps = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
        return steps / (workout.duration / 60)
    }

    func delete(_ workout: HKWorkout) async throws {
        try await store.delete(workout)
    }
}

import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// A store in memory with an open builder's usual calls.
struct WorkoutWorld {
    let store = HKHealthStore.inMemory(identity: AppIdentity("com.example.walks", name: "Walks"))
    let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    func run() -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configuration.locationType = .outdoor
        return configuration
    }

    func builder() -> HKWorkoutBuilder {
        HKWorkoutBuilder(healthStore: store, configuration: run(), device: nil)
    }

    func authorize(_ types: Set<HKSampleType> = []) async throws {
        let all: Set<HKSampleType> = [
            .workoutType(), HKSeriesType.workoutRoute(), HKQuantityType(.heartRate),
            HKQuantityType(.activeEnergyBurned), HKQuantityType(.distanceWalkingRunning),
            HKQuantityType(.stepCount),
        ]
        try await store.requestAuthorization(toShare: all.union(types), read: all.union(types))
    }

    func energy(_ kilocalories: Double, _ from: TimeInterval, _ to: TimeInterval) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.activeEnergyBurned),
            quantity: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories), start: at(from),
            end: at(to))
    }

    func heartRate(_ rate: Double, _ at: TimeInterval) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.heartRate),
            quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: rate),
            start: self.at(at), end: self.at(at))
    }

    func samples(of type: HKSampleType, _ predicate: NSPredicate?) async throws -> [HKSample] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.sample(type: type, predicate: predicate)], sortDescriptors: [])
        return try await descriptor.result(for: store)
    }
}

@Suite("Workout builder")
struct WorkoutBuilderTests {
    let world = WorkoutWorld()

    @Test(
        "§10.8 begin, add, end and finish give a workout with its samples, numbers and metadata",
        .covers(
            "HKWorkoutBuilder", "HKWorkoutBuilder.init(healthStore:configuration:device:)",
            "HKWorkoutBuilder.beginCollection(at:)", "HKWorkoutBuilder.addSamples(_:)",
            "HKWorkoutBuilder.addMetadata(_:)", "HKWorkoutBuilder.endCollection(at:)",
            "HKWorkoutBuilder.finishWorkout()", "HKWorkout.statistics(for:)"))
    func finishes() async throws {
        try await world.authorize()
        let builder = world.builder()
        try await builder.beginCollection(at: world.start)
        try await builder.addSamples([world.energy(30, 0, 60), world.energy(12, 60, 120)])
        try await builder.addSamples([world.heartRate(120, 10), world.heartRate(140, 20)])
        try await builder.addMetadata(["HKIndoorWorkout": false, "note": "a"])
        try await builder.addMetadata(["note": "b"])
        try await builder.endCollection(at: world.at(120))
        let workout = try #require(try await builder.finishWorkout())

        #expect(workout.workoutActivityType == .running)
        #expect(workout.startDate == world.start)
        #expect(workout.endDate == world.at(120))
        #expect(workout.duration == 120)
        #expect(workout.metadata?["note"] as? String == "b")
        #expect(workout.sourceRevision.source.bundleIdentifier == "com.example.walks")
        #expect(
            workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()).rounded() == 42)
        let energy = workout.statistics(for: HKQuantityType(.activeEnergyBurned))
        #expect(energy?.sumQuantity()?.doubleValue(for: .kilocalorie()).rounded() == 42)
        let rate = workout.statistics(for: HKQuantityType(.heartRate))
        let beats = HKUnit(from: "count/min")
        #expect(rate?.minimumQuantity()?.doubleValue(for: beats).rounded() == 120)
        #expect(rate?.maximumQuantity()?.doubleValue(for: beats).rounded() == 140)
        #expect(rate?.mostRecentQuantity()?.doubleValue(for: beats).rounded() == 140)
        #expect(workout.statistics(for: HKQuantityType(.stepCount)) == nil)
        #expect(workout.allStatistics.count == 2)

        let found = try await world.samples(
            of: HKQuantityType(.activeEnergyBurned), HKQuery.predicateForObjects(from: workout))
        #expect(found.count == 2)
        let workouts = try await world.samples(of: .workoutType(), nil)
        #expect(workouts.map(\.uuid) == [workout.uuid])
    }
}

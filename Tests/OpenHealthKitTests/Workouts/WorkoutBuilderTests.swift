import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// An in-memory store, with the usual calls of an open builder.
struct WorkoutFixture {
    let store = HKHealthStore.inMemory(
        identity: AppIdentity("com.example.walks", name: "Walks"), configuration: .withoutSummary)
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

    func energy(_ kilocalories: Double, _ from: TimeInterval, _ to: TimeInterval)
        -> HKQuantitySample
    {
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

/// Returns whether an error is `errorInvalidArgument`.
func isInvalidArgument(_ error: any Error) -> Bool {
    (error as? HKError)?.code == .errorInvalidArgument
}

@Suite("Workout builder")
struct WorkoutBuilderTests {
    let fixture = WorkoutFixture()

    @Test(
        "§10.8 begin, add, end and finish save a workout with samples, statistics and metadata",
        .covers(
            "HKWorkoutBuilder", "HKWorkoutBuilder.init(healthStore:configuration:device:)",
            "HKWorkoutBuilder.beginCollection(at:)", "HKWorkoutBuilder.addSamples(_:)",
            "HKWorkoutBuilder.addMetadata(_:)", "HKWorkoutBuilder.endCollection(at:)",
            "HKWorkoutBuilder.finishWorkout()", "HKWorkout.statistics(for:)",
            "HKWorkout.allStatistics"))
    func finishes() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        try await builder.addSamples([fixture.energy(30, 0, 60), fixture.energy(12, 60, 120)])
        try await builder.addSamples([fixture.heartRate(120, 10), fixture.heartRate(140, 20)])
        try await builder.addMetadata(["HKIndoorWorkout": false, "note": "a"])
        try await builder.addMetadata(["note": "b"])
        try await builder.endCollection(at: fixture.at(120))
        let workout = try #require(try await builder.finishWorkout())

        #expect(workout.workoutActivityType == .running)
        #expect(workout.startDate == fixture.start)
        #expect(workout.endDate == fixture.at(120))
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

        let found = try await fixture.samples(
            of: HKQuantityType(.activeEnergyBurned), HKQuery.predicateForObjects(from: workout))
        #expect(found.count == 2)
        let workouts = try await fixture.samples(of: .workoutType(), nil)
        #expect(workouts.map(\.uuid) == [workout.uuid])
    }

    @Test(
        "§10.8 calling the builder's methods in another order is an error and changes nothing",
        .covers(
            "HKWorkoutBuilder.beginCollection(withStart:completion:)",
            "HKWorkoutBuilder.endCollection(withEnd:completion:)"))
    func order() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        await #expect { try await builder.addSamples([fixture.energy(1, 0, 60)]) } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        await #expect { try await builder.endCollection(at: fixture.at(60)) } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        await #expect { _ = try await builder.finishWorkout() } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        #expect(builder.startDate == nil)
        try await builder.beginCollection(at: fixture.start)
        await #expect { try await builder.beginCollection(at: fixture.at(5)) } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        await #expect { _ = try await builder.finishWorkout() } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        await #expect { try await builder.endCollection(at: fixture.at(-1)) } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        #expect(builder.startDate == fixture.start)
        #expect(builder.endDate == nil)
        try await builder.endCollection(at: fixture.at(60))
        await #expect { try await builder.addSamples([fixture.energy(1, 0, 60)]) } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        await #expect { try await builder.endCollection(at: fixture.at(90)) } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        #expect(builder.endDate == fixture.at(60))
        _ = try await builder.finishWorkout()
        await #expect { _ = try await builder.finishWorkout() } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        await #expect { try await builder.addMetadata(["a": 1]) } throws: {
            ($0 as? HKError)?.code == .errorInvalidArgument
        }
        let saved = try await fixture.samples(of: HKQuantityType(.activeEnergyBurned), nil)
        #expect(saved.isEmpty)
    }

    @Test("§10.8 samples are saved at once under the rules of save, all or none")
    func savedAtOnce() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        try await builder.addSamples([fixture.energy(5, 0, 60)])
        let type = HKQuantityType(.activeEnergyBurned)
        #expect(try await fixture.samples(of: type, nil).count == 1)
        let early = fixture.energy(5, -60, 0)
        let reversed = fixture.energy(5, 60, 30)
        for invalid in [early, reversed] {
            await #expect {
                try await builder.addSamples([fixture.energy(7, 60, 120), invalid])
            } throws: { isInvalidArgument($0) }
        }
        #expect(try await fixture.samples(of: type, nil).count == 1)
        let sum = builder.statistics(for: type)?.sumQuantity()
        #expect(sum.map { $0.doubleValue(for: .kilocalorie()).rounded() } == 5)
    }

    @Test("§10.8 samples that are already stored are only associated")
    func alreadySaved() async throws {
        try await fixture.authorize()
        let sample = fixture.energy(5, 0, 60)
        try await fixture.store.save(sample)
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        try await builder.addSamples([sample, fixture.energy(6, 60, 90)])
        try await builder.addSamples([sample])
        try await builder.endCollection(at: fixture.at(90))
        let workout = try #require(try await builder.finishWorkout())
        let type = HKQuantityType(.activeEnergyBurned)
        #expect(try await fixture.samples(of: type, nil).count == 2)
        #expect(
            try await fixture.samples(of: type, HKQuery.predicateForObjects(from: workout)).count
                == 2
        )
        #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()).rounded() == 11)
    }

    @Test("§10.8 §1 a workout's sum has no duplicates of two sources")
    func merged() async throws {
        try await fixture.authorize()
        let watch = fixture.store.withIdentity(AppIdentity("com.example.watch", name: "Watch"))
        try await watch.requestAuthorization(
            toShare: [HKQuantityType(.activeEnergyBurned)], read: [])
        try await watch.save(fixture.energy(40, 0, 120))
        let found = try await fixture.samples(of: HKQuantityType(.activeEnergyBurned), nil)
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        try await builder.addSamples(found + [fixture.energy(40, 0, 120)])
        try await builder.endCollection(at: fixture.at(120))
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()).rounded() == 40)
    }

    @Test(
        "§10.8 a discarded workout is not saved, its samples are",
        .covers("HKWorkoutBuilder.discardWorkout()"))
    func discard() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        try await builder.addSamples([fixture.energy(5, 0, 60)])
        builder.discardWorkout()
        await #expect {
            try await builder.endCollection(at: fixture.at(60))
        } throws: { isInvalidArgument($0) }
        #expect(try await fixture.samples(of: .workoutType(), nil).isEmpty)
        #expect(try await fixture.samples(of: HKQuantityType(.activeEnergyBurned), nil).count == 1)
    }

    @Test(
        "§10.8 elapsed time excludes pauses and does not increase after the end",
        .covers("HKWorkoutBuilder.elapsedTime(at:)", "HKWorkoutBuilder.addWorkoutEvents(_:)"))
    func elapsedTime() async throws {
        let builder = fixture.builder()
        #expect(builder.elapsedTime(at: fixture.at(10)) == 0)
        try await builder.beginCollection(at: fixture.start)
        func event(_ type: HKWorkoutEventType, _ at: TimeInterval) -> HKWorkoutEvent {
            HKWorkoutEvent(
                type: type, dateInterval: DateInterval(start: fixture.at(at), duration: 0),
                metadata: nil)
        }
        try await builder.addWorkoutEvents([event(.pause, 100)])
        #expect(builder.elapsedTime(at: fixture.at(50)) == 50)
        #expect(builder.elapsedTime(at: fixture.at(150)) == 100)
        try await builder.addWorkoutEvents([event(.resume, 160)])
        #expect(builder.elapsedTime(at: fixture.at(200)) == 140)
        try await builder.endCollection(at: fixture.at(300))
        #expect(builder.elapsedTime(at: fixture.at(9_000)) == 240)
        #expect(builder.elapsedTime(at: fixture.at(-5)) == 0)
    }

    @Test("§10.8 finishing while the device is locked saves it and returns nil without an error")
    func locked() async throws {
        let protectedData = ProtectedDataState()
        let store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.walks"),
            configuration: HealthStoreConfiguration(protectedData: protectedData))
        try await store.requestAuthorization(
            toShare: [.workoutType(), HKQuantityType(.activeEnergyBurned)], read: [.workoutType()])
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: fixture.run(), device: nil)
        try await builder.beginCollection(at: fixture.start)
        protectedData.lock()
        try await builder.addSamples([fixture.energy(5, 0, 60)])
        try await builder.endCollection(at: fixture.at(60))
        #expect(try await builder.finishWorkout() == nil)
        protectedData.unlock()
        let descriptor = HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
        let found = try await descriptor.result(for: store)
        #expect(found.count == 1)
        #expect(
            found.first?.totalEnergyBurned?.doubleValue(for: .kilocalorie()).rounded() == 5)
    }

    @Test("§10.8 finishing without permission to share workouts fails and can be retried")
    func permission() async throws {
        let store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.walks"), configuration: .withoutSummary)
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: fixture.run(), device: nil)
        try await builder.beginCollection(at: fixture.start)
        try await builder.endCollection(at: fixture.at(60))
        await #expect {
            _ = try await builder.finishWorkout()
        } throws: { ($0 as? HKError)?.code == .errorAuthorizationNotDetermined }
        try await store.requestAuthorization(toShare: [.workoutType()], read: [])
        #expect(try await builder.finishWorkout() != nil)
    }

    @Test(
        "activities have their configuration, their events and their part of the statistics",
        .covers(
            "HKWorkoutActivity", "HKWorkoutActivity.workoutConfiguration",
            "HKWorkout.workoutActivities", "HKWorkoutActivity.uuid", "HKWorkoutActivity.startDate",
            "HKWorkoutActivity.endDate", "HKWorkoutActivity.duration", "HKWorkoutActivity.metadata",
            "HKWorkoutActivity.statistics(for:)", "HKWorkoutActivity.allStatistics",
            "HKWorkoutActivity.workoutEvents", "HKWorkoutBuilder.addWorkoutActivity(_:)",
            "HKWorkoutBuilder.updateActivity(uuid:end:)",
            "HKWorkoutBuilder.updateActivity(uuid:adding:)", "HKWorkoutBuilder.workoutActivities"))
    func activities() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        let swim = HKWorkoutConfiguration()
        swim.activityType = .swimming
        let first = HKWorkoutActivity(
            workoutConfiguration: swim, start: fixture.start, end: nil, metadata: nil)
        let second = HKWorkoutActivity(
            workoutConfiguration: fixture.run(), start: fixture.at(60), end: nil, metadata: nil)
        try await builder.addWorkoutActivity(first)
        try await builder.updateActivity(uuid: first.uuid, end: fixture.at(60))
        try await builder.updateActivity(uuid: first.uuid, adding: ["leg": 1])
        try await builder.addWorkoutActivity(second)
        await #expect(throws: HKError.self) { try await builder.addWorkoutActivity(second) }
        await #expect(throws: HKError.self) {
            try await builder.updateActivity(uuid: UUID(), end: fixture.at(60))
        }
        #expect(builder.workoutActivities == [first, second])
        try await builder.addSamples([fixture.energy(30, 0, 90)])
        try await builder.addWorkoutEvents([HKWorkoutEvent(type: .lap, date: fixture.at(90))])
        try await builder.endCollection(at: fixture.at(120))
        let workout = try #require(try await builder.finishWorkout())
        let activities = workout.workoutActivities
        #expect(activities.map(\.uuid) == [first.uuid, second.uuid])
        #expect(activities.map(\.workoutConfiguration.activityType) == [.swimming, .running])
        #expect(activities.last?.workoutConfiguration.locationType == .outdoor)
        #expect(activities.map(\.endDate) == [fixture.at(60), fixture.at(120)])
        #expect(activities.map(\.startDate) == [fixture.start, fixture.at(60)])
        #expect(activities.map(\.duration) == [60, 60])
        #expect(activities.map { $0.workoutEvents.map(\.type) } == [[], [.lap]])
        #expect(activities.map(\.allStatistics.count) == [1, 1])
        #expect(activities.first?.metadata?["leg"] as? Int == 1)
        let energy = HKQuantityType(.activeEnergyBurned)
        let sums = activities.map {
            $0.statistics(for: energy)?.sumQuantity()?.doubleValue(for: .kilocalorie()).rounded()
        }
        #expect(sums == [20, 10])
    }

    @Test("§10.8 samples added to a saved workout are included in its statistics")
    func addedLater() async throws {
        try await fixture.authorize()
        let workout = HKWorkout(activityType: .running, start: fixture.start, end: fixture.at(600))
        await #expect(throws: HKError.self) {
            try await fixture.store.addSamples([fixture.energy(5, 0, 60)], to: workout)
        }
        try await fixture.store.save(workout)
        try await fixture.store.addSamples([fixture.energy(5, 0, 60)], to: workout)
        try await fixture.store.addSamples([fixture.energy(6, 60, 120)], to: workout)
        let found = try #require(
            try await fixture.samples(of: .workoutType(), nil).first as? HKWorkout)
        #expect(found.totalEnergyBurned?.doubleValue(for: .kilocalorie()).rounded() == 11)
        let members = try await fixture.samples(
            of: HKQuantityType(.activeEnergyBurned), HKQuery.predicateForObjects(from: workout))
        #expect(members.count == 2)
    }

    @Test("§9.7 deleting a workout does not delete its samples")
    func deletion() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        try await builder.addSamples([fixture.energy(5, 0, 60)])
        try await builder.endCollection(at: fixture.at(60))
        let workout = try #require(try await builder.finishWorkout())
        try await fixture.store.delete(workout)
        #expect(try await fixture.samples(of: .workoutType(), nil).isEmpty)
        #expect(try await fixture.samples(of: HKQuantityType(.activeEnergyBurned), nil).count == 1)
    }

    @Test(
        "the completion-handler methods give the same results, off the main queue",
        .covers(
            "HKWorkoutBuilder.finishWorkout()", "HKWorkoutBuilder.discardWorkout()",
            "HKWorkoutBuilder.finishWorkout(completion:)", "HKWorkoutBuilder.add(_:completion:)",
            "HKWorkoutBuilder.addMetadata(_:completion:)",
            "HKWorkoutBuilder.addWorkoutEvents(_:completion:)",
            "HKWorkoutBuilder.addWorkoutActivity(_:completion:)",
            "HKWorkoutBuilder.updateActivity(uuid:end:completion:)",
            "HKWorkoutBuilder.updateActivity(uuid:adding:completion:)"))
    func handlers() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        let activity = HKWorkoutActivity(
            workoutConfiguration: fixture.run(), start: fixture.start, end: nil, metadata: nil)
        let (start, middle, end) = (fixture.start, fixture.at(30), fixture.at(60))
        let sample = fixture.energy(5, 0, 30)
        // Calls take effect in order.
        let results = StepResults()
        builder.beginCollection(withStart: start, completion: results.append)
        builder.add([sample], completion: results.append)
        builder.addMetadata(["note": "a"], completion: results.append)
        builder.addWorkoutEvents(
            [HKWorkoutEvent(type: .lap, date: middle)], completion: results.append)
        builder.addWorkoutActivity(activity, completion: results.append)
        builder.updateActivity(uuid: activity.uuid, end: middle, completion: results.append)
        builder.updateActivity(uuid: activity.uuid, adding: ["leg": 1], completion: results.append)
        builder.endCollection(withEnd: end, completion: results.append)
        let (workout, onMain): (HKWorkout?, Bool) = await withCheckedContinuation { continuation in
            builder.finishWorkout { workout, _ in
                continuation.resume(returning: (workout, Thread.isMainThread))
            }
        }
        #expect(try await results.wait(for: 8) == Array(repeating: true, count: 8))
        #expect(!onMain)
        #expect(workout?.duration == 60)
        #expect(workout?.metadata?["note"] as? String == "a")
        #expect(workout?.workoutEvents?.map(\.type) == [.lap])
        #expect(workout?.workoutActivities.map(\.duration) == [30])
        #expect(workout?.workoutActivities.first?.metadata?["leg"] as? Int == 1)
        #expect(workout?.statistics(for: HKQuantityType(.activeEnergyBurned)) != nil)
    }

    @Test(
        "a builder has what was added, before it is finished",
        .covers(
            "HKWorkoutBuilder.startDate", "HKWorkoutBuilder.endDate", "HKWorkoutBuilder.metadata",
            "HKWorkoutBuilder.workoutEvents", "HKWorkoutBuilder.statistics(for:)",
            "HKWorkoutBuilder.allStatistics", "HKWorkoutBuilder.device",
            "HKWorkoutBuilder.workoutConfiguration"))
    func properties() async throws {
        try await fixture.authorize()
        let builder = HKWorkoutBuilder(
            healthStore: fixture.store, configuration: fixture.run(), device: .local())
        #expect(builder.device == .local())
        #expect(builder.workoutConfiguration == fixture.run())
        #expect(builder.startDate == nil && builder.metadata.isEmpty)
        try await builder.beginCollection(at: fixture.start)
        try await builder.addSamples([fixture.energy(5, 0, 30), fixture.heartRate(90, 10)])
        try await builder.addMetadata(["note": "a"])
        let lap = HKWorkoutEvent(type: .lap, date: fixture.at(30))
        try await builder.addWorkoutEvents([lap])
        try await builder.endCollection(at: fixture.at(60))
        #expect(builder.startDate == fixture.start && builder.endDate == fixture.at(60))
        #expect(builder.metadata["note"] as? String == "a")
        #expect(builder.workoutEvents == [lap])
        let beats = builder.statistics(for: HKQuantityType(.heartRate))?.averageQuantity()
        #expect(beats?.doubleValue(for: HKUnit(from: "count/min")) == 90)
        #expect(
            Set(builder.allStatistics.keys) == [
                HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
            ])
    }
}

/// The results of completion handlers, in the order of their calls.
// Unchecked: the list is accessed only while the lock is held.
private final class StepResults: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Bool] = []

    func append(_ isSuccess: Bool, _ error: (any Error)?) {
        lock.withLock { results.append(isSuccess && error == nil) }
    }

    func wait(for count: Int) async throws -> [Bool] {
        for _ in 0..<6000 where lock.withLock({ results.count < count }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        return lock.withLock { results }
    }
}

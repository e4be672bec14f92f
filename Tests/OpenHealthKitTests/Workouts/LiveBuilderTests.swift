import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Live workout builders")
struct LiveBuilderTests {
    let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 1_000))
    let store: HKHealthStore
    let watch: HKHealthStore
    let listener = SessionListener()
    let session: HKWorkoutSession
    let builder: HKLiveWorkoutBuilder
    private let energy = HKQuantityType(.activeEnergyBurned)

    init() async throws {
        let configuration = HealthStoreConfiguration(clock: clock)
        store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.walks"), configuration: configuration)
        watch = store.withIdentity(AppIdentity("com.example.watch", name: "Watch"))
        let types: Set<HKSampleType> = [
            .workoutType(), energy, HKQuantityType(.heartRate), HKQuantityType(.stepCount),
            HKQuantityType(.distanceWalkingRunning), HKQuantityType(.basalEnergyBurned),
        ]
        for app in [store, watch] {
            try await app.requestAuthorization(toShare: types, read: types)
        }
        let running = HKWorkoutConfiguration()
        running.activityType = .running
        session = try HKWorkoutSession(healthStore: store, configuration: running)
        builder = session.associatedWorkoutBuilder()
        builder.delegate = listener
        builder.dataSource = HKLiveWorkoutDataSource(
            healthStore: store, workoutConfiguration: running)
    }

    private func at(_ seconds: TimeInterval) -> Date {
        Date(timeIntervalSinceReferenceDate: 1_000 + seconds)
    }

    private func sample(
        _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, _ from: TimeInterval,
        _ to: TimeInterval
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
            start: at(from), end: at(to))
    }

    private func sum() -> Double? {
        builder.statistics(for: energy)?.sumQuantity()?.doubleValue(for: .kilocalorie()).rounded()
    }

    @Test(
        "samples that other apps save during the session are added to the workout",
        .covers(
            "HKLiveWorkoutBuilder", "HKWorkoutSession.associatedWorkoutBuilder()",
            "HKLiveWorkoutBuilder.dataSource", "HKLiveWorkoutBuilderDelegate",
            "HKLiveWorkoutBuilderDelegate.workoutBuilder(_:didCollectDataOf:)",
            "HKLiveWorkoutDataSource", "HKLiveWorkoutBuilder.delegate",
            "HKLiveWorkoutBuilder.workoutSession",
            "HKLiveWorkoutDataSource.init(healthStore:workoutConfiguration:)"))
    func collects() async throws {
        #expect(session.associatedWorkoutBuilder() === builder)
        #expect(builder.workoutSession === session)
        #expect(builder.delegate === listener)
        try await watch.save(sample(.activeEnergyBurned, 50, .kilocalorie(), 0, 10))
        session.startActivity(with: at(0))
        try await builder.beginCollection(at: at(0))
        try await watch.save([
            sample(.activeEnergyBurned, 3, .kilocalorie(), 0, 10),
            sample(.activeEnergyBurned, 90, .kilocalorie(), -20, -10),
            sample(.stepCount, 20, .count(), 0, 10),
        ])
        try await listener.wait(for: 1)
        #expect(listener.lines == ["collected ActiveEnergyBurned"])
        #expect(sum() == 3)
        try await watch.save(
            sample(.heartRate, 120, HKUnit(from: "count/min"), 10, 10))
        try await watch.save(sample(.activeEnergyBurned, 4, .kilocalorie(), 10, 20))
        session.end()
        try await builder.endCollection(at: at(30))
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()).rounded() == 7)
        #expect(workout.statistics(for: HKQuantityType(.stepCount)) == nil)
        #expect(workout.statistics(for: HKQuantityType(.heartRate)) != nil)
        #expect(workout.workoutActivityType == .running)
    }

    @Test(
        "samples that start in a pause are not collected, and the pause is an event of the workout",
        .covers(
            "HKLiveWorkoutBuilderDelegate.workoutBuilderDidCollectEvent(_:)",
            "HKLiveWorkoutBuilder.elapsedTime"))
    func pauses() async throws {
        session.startActivity(with: at(0))
        try await builder.beginCollection(at: at(0))
        clock.advance(by: 60)
        session.pause()
        clock.advance(by: 60)
        session.resume()
        clock.advance(by: 60)
        #expect(builder.elapsedTime == 120)
        try await watch.save([
            sample(.activeEnergyBurned, 3, .kilocalorie(), 30, 50),
            sample(.activeEnergyBurned, 100, .kilocalorie(), 70, 90),
            sample(.activeEnergyBurned, 5, .kilocalorie(), 130, 150),
        ])
        session.end()
        try await builder.endCollection(at: at(180))
        #expect(sum() == 8)
        #expect(builder.workoutEvents.map(\.type) == [.pause, .resume])
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.duration == 120)
        #expect(workout.workoutEvents?.count == 2)
    }

    @Test(
        "without collected events, the elapsed time and the duration still exclude pauses",
        .covers("HKLiveWorkoutBuilder.shouldCollectWorkoutEvents"))
    func withoutEvents() async throws {
        builder.shouldCollectWorkoutEvents = false
        session.startActivity(with: at(0))
        try await builder.beginCollection(at: at(0))
        clock.advance(by: 60)
        session.pause()
        clock.advance(by: 60)
        #expect(builder.elapsedTime == 60)
        #expect(builder.elapsedTime(at: at(100)) == 60)
        #expect(builder.workoutEvents.isEmpty)
        session.resume()
        clock.advance(by: 30)
        session.stopActivity(with: nil)
        try await builder.endCollection(at: at(150))
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.duration == 90)
        #expect(workout.workoutEvents == nil)
        session.end()
    }

    @Test(
        "a data source collects its types, filtered by their predicates",
        .covers(
            "HKLiveWorkoutDataSource.typesToCollect",
            "HKLiveWorkoutDataSource.enableCollection(for:predicate:)",
            "HKLiveWorkoutDataSource.disableCollection(for:)"))
    func dataSource() async throws {
        let source = try #require(builder.dataSource)
        #expect(
            source.typesToCollect == [
                energy, HKQuantityType(.heartRate), HKQuantityType(.basalEnergyBurned),
                HKQuantityType(.distanceWalkingRunning),
            ])
        source.disableCollection(for: energy)
        source.enableCollection(
            for: HKQuantityType(.stepCount),
            predicate: HKQuery.predicateForQuantitySamples(
                with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 10)))
        session.startActivity(with: at(0))
        try await builder.beginCollection(at: at(0))
        try await watch.save([
            sample(.activeEnergyBurned, 3, .kilocalorie(), 0, 10),
            sample(.stepCount, 5, .count(), 0, 10), sample(.stepCount, 20, .count(), 10, 20),
        ])
        try await builder.endCollection(at: at(30))
        #expect(sum() == nil)
        let steps = builder.statistics(for: HKQuantityType(.stepCount))?.sumQuantity()
        #expect(steps?.doubleValue(for: .count()) == 20)
        #expect(
            HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
                .typesToCollect.isEmpty)
    }

    @Test("a rejected end of collection changes nothing, and collection continues")
    func refusedEnd() async throws {
        session.startActivity(with: at(0))
        try await builder.beginCollection(at: at(0))
        await #expect(throws: HKError.self) { try await builder.endCollection(at: at(-60)) }
        try await watch.save(sample(.activeEnergyBurned, 3, .kilocalorie(), 0, 10))
        try await listener.wait(for: 1)
        #expect(listener.lines == ["collected ActiveEnergyBurned"])
    }

    @Test("a builder collects nothing before its session starts or after it is discarded")
    func waiting() async throws {
        try await builder.beginCollection(at: at(0))
        try await watch.save(sample(.activeEnergyBurned, 3, .kilocalorie(), 0, 10))
        try await Task.sleep(for: .milliseconds(150))
        #expect(sum() == nil)
        session.startActivity(with: at(0))
        try await listener.wait(for: 1)
        #expect(sum() == 3)
        builder.discardWorkout()
        try await watch.save(sample(.activeEnergyBurned, 4, .kilocalorie(), 10, 20))
        try await Task.sleep(for: .milliseconds(150))
        #expect(sum() == 3)
    }

    @Test(
        "activities of the session become activities of the workout",
        .covers(
            "HKLiveWorkoutBuilder.currentWorkoutActivity",
            "HKLiveWorkoutBuilderDelegate.workoutBuilder(_:didBegin:)",
            "HKLiveWorkoutBuilderDelegate.workoutBuilder(_:didEnd:)",
            "HKWorkoutSession.endCurrentActivity(on:)"))
    func activities() async throws {
        session.startActivity(with: at(0))
        try await builder.beginCollection(at: at(0))
        let swim = HKWorkoutConfiguration()
        swim.activityType = .swimming
        session.beginNewActivity(configuration: swim, date: at(0), metadata: nil)
        #expect(builder.currentWorkoutActivity?.workoutConfiguration.activityType == .swimming)
        session.endCurrentActivity(on: at(60))
        #expect(builder.currentWorkoutActivity == nil)
        clock.advance(by: 90)
        session.end()
        try await builder.endCollection(at: at(90))
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.workoutActivities.map(\.duration) == [60])
        try await listener.wait(for: 2)
        #expect(listener.lines == ["built swimming", "built for 60 s"])
    }
}

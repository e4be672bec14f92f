import Foundation
import HealthKit
import HealthSimulator
import Testing

/// Apps that record workouts live, with the sensors of a simulated watch.
@Suite("Apps that record workouts live")
@MainActor
struct LiveWorkoutAppTests {
    private let clock = ManualClock(Date(timeIntervalSinceReferenceDate: 796_258_800))
    private let phoneStore: HKHealthStore
    private let watchStore: HKHealthStore
    private let sensor: WorkoutSensor
    private let start = Date(timeIntervalSinceReferenceDate: 796_258_800)

    init() {
        phoneStore = .inMemory(
            identity: AppIdentity("com.example.run"),
            configuration: HealthStoreConfiguration(clock: clock))
        watchStore = phoneStore.withIdentity(AppIdentity("com.example.run.watchkitapp"))
        sensor = WorkoutSensor(store: phoneStore, clock: clock, seed: 11)
    }

    private func wait(_ condition: () -> Bool) async throws {
        for _ in 0..<3000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(condition())
    }

    @Test("a running tracker on the watch shows its run on the phone, which pauses and stops it")
    func mirroredRun() async throws {
        let (watch, phone) = (
            WatchRun(healthStore: watchStore), PhoneRun(healthStore: phoneStore)
        )
        phone.retrieveRemoteSession()
        try await watch.requestAuthorization()
        try await watch.start(.running, at: start)
        sensor.start(try #require(watch.session))
        try await wait { phone.isConnected && phone.session?.state == .running }
        clock.advance(by: 120)
        try await wait { (phone.updates.last?.metres ?? 0) > 300 }
        try await wait { (phone.updates.last?.heartRate ?? 0) > 100 }
        phone.pause()
        try await wait { watch.session?.state == .paused && phone.state == .paused }
        clock.advance(by: 60)
        try await phone.drink(litres: 0.25)
        try await wait { watch.water == 0.25 }
        watch.togglePause()
        try await wait { phone.state == .running }
        clock.advance(by: 60)
        phone.stop(at: clock.now)
        try await wait { watch.workout != nil }
        try await wait { phone.state == .ended }
        let workout = try #require(watch.workout)
        #expect(workout.duration == 180)
        #expect(workout.workoutActivityType == .running)
        let metres = workout.statistics(for: HKQuantityType(.distanceWalkingRunning))?
            .sumQuantity()?.doubleValue(for: .meter())
        #expect((450...560).contains(metres ?? 0))
        #expect(phone.errors.isEmpty)
    }

    @Test("an interval timer has segments, and pauses when both buttons are pressed")
    func intervals() async throws {
        let types: Set<HKSampleType> = [
            .workoutType(), HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
        ]
        try await watchStore.requestAuthorization(toShare: types, read: types)
        let timer = IntervalTimer(healthStore: watchStore)
        let isStarted = await withCheckedContinuation { continuation in
            timer.start(at: start) { continuation.resume(returning: $0) }
        }
        #expect(isStarted)
        sensor.start(try #require(timer.activeSession))
        for _ in 0..<3 {
            timer.beginWork(at: clock.now)
            clock.advance(by: 40)
            let isAdded = await withCheckedContinuation { continuation in
                timer.endWork(at: clock.now) { continuation.resume(returning: $0) }
            }
            #expect(isAdded)
            clock.advance(by: 20)
        }
        sensor.detect(.pauseOrResumeRequest)
        try await wait { timer.pauseRequests == 1 && timer.activeSession?.state == .paused }
        clock.advance(by: 30)
        timer.resume()
        clock.advance(by: 10)
        #expect(timer.elapsed == 190)
        let workout: HKWorkout? = await withCheckedContinuation { continuation in
            timer.finish(at: clock.now) { workout, _ in continuation.resume(returning: workout) }
        }
        let segments = workout?.workoutEvents?.filter { $0.type == .segment } ?? []
        #expect(segments.map(\.dateInterval.duration) == [40, 40, 40])
        #expect(segments.first?.metadata?["phase"] as? String == "work")
        #expect(workout?.duration == 190)
        #expect(workout?.statistics(for: HKQuantityType(.activeEnergyBurned)) != nil)
        try await wait { timer.stateHistory.count == 5 }
        #expect(timer.stateHistory == [.prepared, .running, .paused, .running, .ended])
    }

    @Test("a triathlon is one workout, whose legs have their own distances")
    func triathlon() async throws {
        let types: Set<HKSampleType> = [
            .workoutType(), HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
            HKQuantityType(.distanceSwimming), HKQuantityType(.distanceCycling),
            HKQuantityType(.distanceWalkingRunning), HKQuantityType(.swimmingStrokeCount),
            HKQuantityType(.basalEnergyBurned),
        ]
        try await watchStore.requestAuthorization(toShare: types, read: types)
        let recorder = try TriathlonRecorder(healthStore: watchStore)
        sensor.start(recorder.measuredSession)
        try await recorder.start(at: start)
        clock.advance(by: 300)
        recorder.endLeg(at: clock.now)
        recorder.begin(.transition, at: clock.now)
        clock.advance(by: 60)
        recorder.begin(.cycling, at: clock.now)
        clock.advance(by: 600)
        recorder.begin(.running, at: clock.now)
        clock.advance(by: 400)
        let workout = try #require(try await recorder.finish(at: clock.now))
        let legs = workout.workoutActivities
        #expect(
            legs.map(\.workoutConfiguration.activityType) == [
                .swimming, .transition, .cycling, .running,
            ])
        #expect(legs.map(\.duration) == [300, 60, 600, 400])
        func metres(_ leg: Int, _ type: HKQuantityTypeIdentifier) -> Double {
            legs[leg].statistics(for: HKQuantityType(type))?.sumQuantity()?
                .doubleValue(for: .meter()) ?? 0
        }
        #expect((200...280).contains(metres(0, .distanceSwimming)))
        #expect((3_900...4_500).contains(metres(2, .distanceCycling)))
        #expect((1_000...1_250).contains(metres(3, .distanceWalkingRunning)))
        #expect(metres(3, .distanceSwimming) == 0)
        try await wait { recorder.entries.count == 8 }
        #expect(!recorder.entries.contains("error"))
    }
}

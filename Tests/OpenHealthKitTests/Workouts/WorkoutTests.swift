import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@Suite("Workouts")
struct WorkoutTests {
    let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }
    private func event(_ type: HKWorkoutEventType, _ seconds: TimeInterval) -> HKWorkoutEvent {
        HKWorkoutEvent(
            type: type, dateInterval: DateInterval(start: at(seconds), duration: 0), metadata: nil)
    }

    private func workout(_ events: [HKWorkoutEvent]) -> HKWorkout {
        HKWorkout(
            activityType: .cycling, start: start, end: at(600), workoutEvents: events,
            totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 120),
            totalDistance: HKQuantity(unit: .mile(), doubleValue: 5),
            metadata: ["HKIndoorWorkout": true])
    }

    @Test(
        "§10.8 totals and events of a deprecated initializer are read back",
        .covers(
            "HKWorkout", "HKWorkout.workoutActivityType", "HKWorkout.totalEnergyBurned",
            "HKWorkout.totalDistance", "HKWorkout.workoutEvents",
            "HKWorkout.init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:metadata:)"
        ))
    func totals() {
        let workout = workout([event(.lap, 60)])
        #expect(workout.workoutActivityType == .cycling)
        #expect(workout.totalEnergyBurned == HKQuantity(unit: .kilocalorie(), doubleValue: 120))
        #expect(workout.totalDistance?.doubleValue(for: .mile()) == 5)
        #expect(workout.totalFlightsClimbed == nil)
        #expect(workout.totalSwimmingStrokeCount == nil)
        #expect(workout.workoutEvents?.map(\.type) == [.lap])
        #expect(workout.metadata?["HKIndoorWorkout"] as? Bool == true)
        #expect(workout.sampleType == .workoutType())
        #expect(workout.startDate == start && workout.endDate == at(600))
        let bare = HKWorkout(activityType: .yoga, start: start, end: at(60))
        #expect(bare.workoutEvents == nil)
        #expect(bare.totalDistance == nil)
        #expect(bare.duration == 60)
    }

    @Test(
        "§10.8 the duration excludes the time from a pause to the next resumption only",
        .covers(
            "HKWorkout.duration", "HKWorkoutEvent",
            "HKWorkoutEvent.init(type:dateInterval:metadata:)", "HKWorkoutEvent.dateInterval"),
        arguments: [
            ([(HKWorkoutEventType.pause, 100.0), (.resume, 160)], 540.0),
            ([(.pause, 100), (.pause, 120), (.resume, 160)], 540),
            ([(.resume, 50), (.pause, 500)], 500),
            ([(.motionPaused, 100), (.motionResumed, 200)], 600),
            ([(.resume, 160), (.pause, 100)], 540),
            ([(.pause, -50), (.resume, 60)], 540),
            ([(.lap, 10), (.marker, 20), (.segment, 30)], 600),
        ] as [([(HKWorkoutEventType, Double)], Double)])
    func pauses(_ events: [(HKWorkoutEventType, Double)], _ seconds: Double) {
        #expect(workout(events.map { event($0.0, $0.1) }).duration == seconds)
    }

    @Test(
        "an explicit duration is used; 0 means from start to end",
        .covers(
            "HKWorkout.init(activityType:start:end:duration:totalEnergyBurned:totalDistance:metadata:)"
        ))
    func explicitDuration() {
        func workout(_ duration: TimeInterval) -> HKWorkout {
            HKWorkout(
                activityType: .running, start: start, end: at(600), duration: duration,
                totalEnergyBurned: nil, totalDistance: nil, metadata: nil)
        }
        #expect(workout(450).duration == 450)
        #expect(workout(0).duration == 600)
    }

    @Test(
        "strokes and flights have separate initializers",
        .covers("HKWorkout.totalSwimmingStrokeCount", "HKWorkout.totalFlightsClimbed"))
    func strokes() {
        let swim = HKWorkout(
            activityType: .swimming, start: start, end: at(60), workoutEvents: nil,
            totalEnergyBurned: nil, totalDistance: HKQuantity(unit: .meter(), doubleValue: 50),
            totalSwimmingStrokeCount: HKQuantity(unit: .count(), doubleValue: 40), device: nil,
            metadata: nil)
        #expect(swim.totalSwimmingStrokeCount?.doubleValue(for: .count()) == 40)
        #expect(swim.totalDistance?.doubleValue(for: .meter()) == 50)
        let climb = HKWorkout(
            activityType: .stairClimbing, start: start, end: at(60), workoutEvents: nil,
            totalEnergyBurned: nil, totalDistance: nil,
            totalFlightsClimbed: HKQuantity(unit: .count(), doubleValue: 12), device: nil,
            metadata: nil)
        #expect(climb.totalFlightsClimbed?.doubleValue(for: .count()) == 12)
    }

    @Test(
        "an unarchived workout, event and configuration equal the originals",
        .covers("HKWorkoutConfiguration", "HKWorkoutConfiguration.init()"))
    func archives() throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .swimming
        configuration.locationType = .indoor
        configuration.swimmingLocationType = .pool
        configuration.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
        let original = workout([event(.pause, 10), event(.resume, 20)])
        func copy<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: object, requiringSecureCoding: true)
            return try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
        }
        #expect(try copy(configuration) == configuration)
        #expect(try copy(event(.lap, 5)) == event(.lap, 5))
        let archived = try copy(original)
        #expect(archived == original)
        #expect(archived.duration == 590)
        #expect(archived.workoutActivityType == .cycling)
    }

    @Test(
        "§9.5 a saved workout is read back unchanged, including the order of its events",
        .covers("HKWorkoutType", "HKObjectType.workoutType()"))
    func saving() async throws {
        let fixture = WorkoutFixture()
        try await fixture.authorize()
        let original = workout([event(.pause, 10), event(.resume, 20)])
        try await fixture.store.save(original)
        let found = try await fixture.samples(of: .workoutType(), nil)
        let saved = try #require(found.first as? HKWorkout)
        #expect(saved == original)
        #expect(saved.duration == 590)
        #expect(saved.totalDistance?.doubleValue(for: .mile()) == 5)
        #expect(saved.workoutEvents == original.workoutEvents)
    }

    @Test(
        "a builder and an activity copy the configuration they are created with",
        .covers(
            "HKWorkoutConfiguration.activityType", "HKWorkoutConfiguration.locationType",
            "HKWorkoutConfiguration.swimmingLocationType", "HKWorkoutConfiguration.lapLength",
            "HKWorkoutActivity.init(workoutConfiguration:start:end:metadata:)"))
    func configurationIsCopied() {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let activity = HKWorkoutActivity(
            workoutConfiguration: configuration, start: start, end: at(60), metadata: ["leg": 1])
        configuration.activityType = .cycling
        #expect(activity.workoutConfiguration.activityType == .running)
        #expect(activity.duration == 60)
        #expect(activity.metadata?["leg"] as? Int == 1)
        configuration.locationType = .indoor
        configuration.swimmingLocationType = .openWater
        configuration.lapLength = HKQuantity(unit: .meter(), doubleValue: 50)
        let copy = configuration.copy() as? HKWorkoutConfiguration
        #expect(copy?.activityType == .cycling)
        #expect(copy?.locationType == .indoor)
        #expect(copy?.swimmingLocationType == .openWater)
        #expect(copy?.lapLength?.doubleValue(for: .meter()) == 50)
        #expect(copy == configuration)
        copy?.activityType = .yoga
        #expect(configuration.activityType == .cycling)
    }
}

@Suite("Recovering a workout session")
struct SessionRecoveryTests {
    @Test(
        "an app can recover its active session until it ends; another app can't",
        .covers(
            "HKHealthStore.recoverActiveWorkoutSession()",
            "HKHealthStore.recoverActiveWorkoutSession(completion:)"))
    func recovery() async throws {
        let store = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.walks"), configuration: .withoutSummary)
        #expect(try await store.recoverActiveWorkoutSession() == nil)
        let session = try HKWorkoutSession(
            healthStore: store, configuration: HKWorkoutConfiguration())
        session.startActivity(with: nil)
        #expect(try await store.recoverActiveWorkoutSession() === session)
        let other = store.withIdentity(AppIdentity("com.example.other"))
        #expect(try await other.recoverActiveWorkoutSession() == nil)
        session.end()
        #expect(try await store.recoverActiveWorkoutSession() == nil)
    }
}

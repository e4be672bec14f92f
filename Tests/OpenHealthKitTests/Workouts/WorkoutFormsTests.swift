import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// Older forms of workouts, configurations and additions that apps still use.
@Suite("Workout variants")
struct WorkoutFormsTests {
    let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
    var end: Date { start.addingTimeInterval(600) }
    let energy = HKQuantity(unit: .kilocalorie(), doubleValue: 120)
    let distance = HKQuantity(unit: .meter(), doubleValue: 900)
    let device = HKDevice(
        name: "band", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
        softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)

    @Test(
        "a workout configuration has the values that were set, and defaults before",
        .covers("HKWorkoutConfiguration.*", "HKWorkoutConfiguration"))
    func configuration() throws {
        let configuration = HKWorkoutConfiguration()
        #expect(configuration.activityType == .other)
        #expect(configuration.locationType == .unknown)
        #expect(configuration.swimmingLocationType == .unknown)
        #expect(configuration.lapLength == nil)
        configuration.activityType = .swimming
        configuration.locationType = .indoor
        configuration.swimmingLocationType = .pool
        configuration.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
        let copy = try #require(configuration.copy() as? HKWorkoutConfiguration)
        #expect(copy.activityType == .swimming)
        #expect(copy.locationType == .indoor)
        #expect(copy.swimmingLocationType == .pool)
        #expect(copy.lapLength?.doubleValue(for: .meter()) == 25)
    }

    @Test(
        "§10.8 a workout can be created from an activity type and dates only",
        .covers("HKWorkout.init(activityType:start:end:)"))
    func bare() {
        let workout = HKWorkout(activityType: .rowing, start: start, end: end)
        #expect(workout.workoutActivityType == .rowing)
        #expect(workout.startDate == start && workout.endDate == end)
        #expect(workout.duration == 600)
        #expect(workout.totalEnergyBurned == nil && workout.allStatistics.isEmpty)
    }

    @Test(
        "§10.8 an explicit duration takes precedence over the dates",
        .covers(
            "HKWorkout.init(activityType:start:end:duration:totalEnergyBurned:totalDistance:*"))
    func duration() {
        let workouts = [
            HKWorkout(
                activityType: .running, start: start, end: end, duration: 480,
                totalEnergyBurned: energy, totalDistance: distance, metadata: ["note": "wet"]),
            HKWorkout(
                activityType: .running, start: start, end: end, duration: 480,
                totalEnergyBurned: energy, totalDistance: distance, device: device,
                metadata: ["note": "wet"]),
        ]
        for workout in workouts {
            #expect(workout.duration == 480)
            #expect(workout.startDate == start && workout.endDate == end)
            #expect(workout.totalEnergyBurned == energy && workout.totalDistance == distance)
            #expect(workout.metadata?["note"] as? String == "wet")
        }
        #expect(workouts[0].device == nil && workouts[1].device == device)
    }

    @Test(
        "§10.8 strokes, flights and a device are read back with the totals",
        .covers(
            "HKWorkout.init(activityType:start:end:workoutEvents:*",
            "HKWorkout.totalSwimmingStrokeCount", "HKWorkout.totalFlightsClimbed",
            "HKWorkout.allStatistics"))
    func counts() {
        let strokes = HKQuantity(unit: .count(), doubleValue: 240)
        let floors = HKQuantity(unit: .count(), doubleValue: 12)
        let swim = HKWorkout(
            activityType: .swimming, start: start, end: end, workoutEvents: nil,
            totalEnergyBurned: energy, totalDistance: distance, totalSwimmingStrokeCount: strokes,
            device: device, metadata: nil)
        #expect(swim.totalSwimmingStrokeCount == strokes && swim.totalFlightsClimbed == nil)
        #expect(swim.totalDistance == distance && swim.device == device)
        let climb = HKWorkout(
            activityType: .stairs, start: start, end: end, workoutEvents: nil,
            totalEnergyBurned: energy, totalDistance: nil, totalFlightsClimbed: floors,
            device: device, metadata: nil)
        #expect(climb.totalFlightsClimbed == floors && climb.totalSwimmingStrokeCount == nil)
        #expect(climb.totalEnergyBurned == energy && climb.totalDistance == nil)
        let statistics = climb.allStatistics[HKQuantityType(.flightsClimbed)]
        #expect(statistics?.sumQuantity() == floors)
        let plain = HKWorkout(
            activityType: .cycling, start: start, end: end, workoutEvents: [],
            totalEnergyBurned: energy, totalDistance: distance, device: device, metadata: nil)
        #expect(plain.device == device && plain.totalDistance == distance)
        for workout in [swim, climb, plain] {
            #expect(workout.startDate == start && workout.endDate == end)
        }
    }

    @Test(
        "an event at a date has an interval of zero length",
        .covers(
            "HKWorkoutEvent.init(type:date:)", "HKWorkoutEvent.init(type:date:metadata:)",
            "HKWorkoutEvent.init(type:dateInterval:metadata:)",
            "HKWorkoutEvent.type", "HKWorkoutEvent.date", "HKWorkoutEvent.metadata"))
    func events() {
        let lap = HKWorkoutEvent(type: .lap, date: start)
        #expect(lap.type == .lap && lap.dateInterval == DateInterval(start: start, duration: 0))
        let marker = HKWorkoutEvent(type: .marker, date: start, metadata: ["n": 3])
        #expect(marker.type == .marker && marker.date == start)
        #expect(marker.metadata?["n"] as? Int == 3)
        let length = DateInterval(start: start, duration: 50)
        let segment = HKWorkoutEvent(type: .segment, dateInterval: length, metadata: ["n": 4])
        #expect(segment.dateInterval == length && segment.metadata?["n"] as? Int == 4)
    }

    @Test(
        "§10.8 samples added to a saved workout are found by its predicate",
        .covers("HKHealthStore.add(_:to:completion:)", "HKHealthStore.addSamples(_:to:)"))
    func adding() async throws {
        let store = HKHealthStore.inMemory(configuration: .withoutSummary)
        let type = HKQuantityType(.activeEnergyBurned)
        try await store.requestAuthorization(
            toShare: [type, .workoutType()], read: [type, .workoutType()])
        let workout = HKWorkout(activityType: .running, start: start, end: end)
        try await store.save(workout)
        let samples = [0.0, 300].map { offset in
            HKQuantitySample(
                type: type, quantity: energy, start: start.addingTimeInterval(offset),
                end: start.addingTimeInterval(offset + 300))
        }
        let isDone: Bool = await withCheckedContinuation { continuation in
            store.add([samples[0]], to: workout) { isDone, _ in
                continuation.resume(returning: isDone)
            }
        }
        #expect(isDone)
        try await store.addSamples([samples[1]], to: workout)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: type, predicate: HKQuery.predicateForObjects(from: workout))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        #expect(try await descriptor.result(for: store).map(\.uuid) == samples.map(\.uuid))
    }

    @Test(
        "the types of assessments and activity summaries have Apple's identifiers",
        .covers("HKScoredAssessmentType.init(_:)", "HKActivitySummaryTypeIdentifier"))
    func identifiers() {
        #expect(
            HKScoredAssessmentType(.GAD7).identifier
                == HKScoredAssessmentTypeIdentifier.GAD7.rawValue)
        #expect(HKActivitySummaryTypeIdentifier == "HKActivitySummaryTypeIdentifier")
        #expect(HKObjectType.activitySummaryType().identifier == HKActivitySummaryTypeIdentifier)
    }
}

import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

/// Predicates on workouts and their activities.
@Suite struct PredicateWorkoutTests {
    private let run = PredicateSamples.workout(
        .running, duration: 90,
        activities: [
            WorkoutActivity(
                uuid: UUID().uuidString,
                configuration: WorkoutActivityConfiguration(
                    activityType: Int(HKWorkoutActivityType.swimming.rawValue)),
                start: 0, end: 40, duration: 40,
                statistics: [
                    WorkoutStatistics(
                        type: HKQuantityTypeIdentifier.heartRate.rawValue, unit: "count/min",
                        average: 120, minimum: 100, maximum: 150)
                ]),
            WorkoutActivity(uuid: UUID().uuidString, start: 40, end: 100, duration: 55),
        ],
        statistics: [
            WorkoutStatistics(
                type: HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue, unit: "km", sum: 5),
            WorkoutStatistics(
                type: HKQuantityTypeIdentifier.activeEnergyBurned.rawValue, unit: "kcal", sum: 300),
            WorkoutStatistics(
                type: HKQuantityTypeIdentifier.swimmingStrokeCount.rawValue, unit: "count",
                sum: 40),
            WorkoutStatistics(
                type: HKQuantityTypeIdentifier.flightsClimbed.rawValue, unit: "count", sum: 2),
            WorkoutStatistics(
                type: HKQuantityTypeIdentifier.heartRate.rawValue, unit: "count/min",
                average: 140, minimum: 80, maximum: 180),
        ])

    private func matches(_ predicate: NSPredicate) -> Bool {
        #expect(predicate.rejectionReason(for: .workoutType()) == nil)
        return predicate.evaluate(with: run)
    }

    private func quantity(_ value: Double, _ unit: HKUnit) -> HKQuantity {
        HKQuantity(unit: unit, doubleValue: value)
    }

    @Test(
        "workouts are selected by activity type, duration and totals",
        .covers(
            "HKQuery.predicateForWorkouts(with:)", "HKQuery.predicateForWorkouts(with:duration:)",
            "HKQuery.predicateForWorkouts(with:totalDistance:)",
            "HKQuery.predicateForWorkouts(with:totalEnergyBurned:)",
            "HKQuery.predicateForWorkouts(with:totalSwimmingStrokeCount:)",
            "HKQuery.predicateForWorkouts(with:totalFlightsClimbed:)"))
    func totals() {
        #expect(matches(HKQuery.predicateForWorkouts(with: .running)))
        #expect(!matches(HKQuery.predicateForWorkouts(with: .cycling)))
        #expect(matches(HKQuery.predicateForWorkouts(with: .equalTo, duration: 90)))
        #expect(!matches(HKQuery.predicateForWorkouts(with: .greaterThan, duration: 90)))
        let meter = HKUnit.meter()
        #expect(
            matches(
                HKQuery.predicateForWorkouts(with: .equalTo, totalDistance: quantity(5000, meter))))
        #expect(
            !matches(
                HKQuery.predicateForWorkouts(
                    with: .greaterThan, totalDistance: quantity(5, .meterUnit(with: .kilo)))))
        #expect(
            matches(
                HKQuery.predicateForWorkouts(
                    with: .lessThan, totalEnergyBurned: quantity(301, .kilocalorie()))))
        #expect(
            matches(
                HKQuery.predicateForWorkouts(
                    with: .equalTo, totalSwimmingStrokeCount: quantity(40, .count()))))
        #expect(
            matches(
                HKQuery.predicateForWorkouts(
                    with: .notEqualTo, totalFlightsClimbed: quantity(3, .count()))))
        let weight = quantity(1, .gram())
        #expect(
            HKQuery.predicateForWorkouts(with: .equalTo, totalDistance: weight)
                .rejectionReason(for: .workoutType()) != nil)
    }

    @Test(
        "workouts are selected by their statistics of a type",
        .covers(
            "HKQuery.predicateForWorkouts(operatorType:quantityType:averageQuantity:)",
            "HKQuery.predicateForWorkouts(operatorType:quantityType:minimumQuantity:)",
            "HKQuery.predicateForWorkouts(operatorType:quantityType:maximumQuantity:)",
            "HKQuery.predicateForWorkouts(operatorType:quantityType:sumQuantity:)"))
    func statistics() {
        let heart = HKQuantityType(.heartRate)
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        func rate(_ value: Double) -> HKQuantity { quantity(value, perMinute) }
        #expect(
            matches(
                HKQuery.predicateForWorkouts(
                    operatorType: .equalTo, quantityType: heart, averageQuantity: rate(140))))
        #expect(
            matches(
                HKQuery.predicateForWorkouts(
                    operatorType: .lessThan, quantityType: heart, minimumQuantity: rate(81))))
        #expect(
            !matches(
                HKQuery.predicateForWorkouts(
                    operatorType: .greaterThan, quantityType: heart, maximumQuantity: rate(180))))
        #expect(
            matches(
                HKQuery.predicateForWorkouts(
                    operatorType: .equalTo, quantityType: heart, maximumQuantity: rate(180))))
        #expect(
            matches(
                HKQuery.predicateForWorkouts(
                    operatorType: .greaterThan, quantityType: HKQuantityType(.activeEnergyBurned),
                    sumQuantity: quantity(1000, .joule()))))
        #expect(
            HKQuery.predicateForWorkouts(
                operatorType: .equalTo, quantityType: heart, sumQuantity: quantity(1, .meter())
            ).rejectionReason(for: .workoutType())?.contains("HKQuantityTypeIdentifierHeartRate")
                == true)
        #expect(
            HKQuery.predicateForWorkouts(with: .running).rejectionReason()?
                .contains("workoutType is not an attribute of") == true)
    }

    @Test(
        "a workout saved without activities matches as one activity",
        .covers("HKQuery.predicateForWorkouts(activityPredicate:)"))
    func withoutActivities() async throws {
        let store = try await QueriedStore.open()
        let start = QueriedStore.midnight
        let row = HKWorkout(activityType: .rowing, start: start, end: start + 1800)
        let run = HKWorkout(activityType: .running, start: start + 3600, end: start + 4200)
        try await store.save([row, run])
        func found(_ predicates: NSPredicate...) async throws -> [UUID] {
            let predicate = HKQuery.predicateForWorkouts(
                activityPredicate: NSCompoundPredicate(andPredicateWithSubpredicates: predicates))
            return try await HKSampleQueryDescriptor(
                predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.startDate)]
            ).result(for: store).map(\.uuid)
        }
        let rowing = HKQuery.predicateForWorkoutActivities(workoutActivityType: .rowing)
        let long = HKQuery.predicateForWorkoutActivities(operatorType: .greaterThan, duration: 900)
        let late = HKQuery.predicateForWorkoutActivities(
            start: start + 3000, end: nil, options: .strictStartDate)
        #expect(try await found(rowing) == [row.uuid])
        #expect(try await found(long) == [row.uuid])
        #expect(try await found(late) == [run.uuid])
        #expect(try await found(rowing, late).isEmpty)
        let inMemory = HKQuery.predicateForWorkouts(activityPredicate: rowing)
        #expect(inMemory.evaluate(with: row) && !inMemory.evaluate(with: run))
    }

    @Test(
        "a workout matches if one of its activities matches all conditions",
        .covers(
            "HKQuery.predicateForWorkoutActivities(workoutActivityType:)",
            "HKQuery.predicateForWorkoutActivities(operatorType:duration:)",
            "HKQuery.predicateForWorkoutActivities(start:end:options:)",
            "HKQuery.predicateForWorkoutActivities(operatorType:quantityType:averageQuantity:)",
            "HKQuery.predicateForWorkoutActivities(operatorType:quantityType:minimumQuantity:)",
            "HKQuery.predicateForWorkoutActivities(operatorType:quantityType:maximumQuantity:)",
            "HKQuery.predicateForWorkoutActivities(operatorType:quantityType:sumQuantity:)"))
    func activities() {
        func some(_ predicates: NSPredicate...) -> Bool {
            matches(
                HKQuery.predicateForWorkouts(
                    activityPredicate: NSCompoundPredicate(
                        andPredicateWithSubpredicates: predicates)))
        }
        let swim = HKQuery.predicateForWorkoutActivities(workoutActivityType: .swimming)
        let long = HKQuery.predicateForWorkoutActivities(operatorType: .greaterThan, duration: 50)
        let late = HKQuery.predicateForWorkoutActivities(
            start: PredicateSamples.at(40), end: nil, options: .strictStartDate)
        #expect(some(swim) && some(long) && some(late) && some(long, late))
        #expect(!some(swim, long) && !some(swim, late))
        #expect(!some(HKQuery.predicateForWorkoutActivities(workoutActivityType: .cycling)))
        #expect(some(HKQuery.predicateForWorkoutActivities(workoutActivityType: .running)))

        let heart = HKQuantityType(.heartRate)
        func rate(_ value: Double) -> HKQuantity {
            quantity(value, .count().unitDivided(by: .minute()))
        }
        let tests = [
            HKQuery.predicateForWorkoutActivities(
                operatorType: .equalTo, quantityType: heart, averageQuantity: rate(120)),
            HKQuery.predicateForWorkoutActivities(
                operatorType: .equalTo, quantityType: heart, minimumQuantity: rate(100)),
            HKQuery.predicateForWorkoutActivities(
                operatorType: .equalTo, quantityType: heart, maximumQuantity: rate(150)),
        ]
        for test in tests {
            #expect(some(test) && some(test, swim) && !some(test, long))
            #expect(
                test.rejectionReason(for: .workoutType())?.contains("activityPredicate:") == true)
        }
        let sum = HKQuery.predicateForWorkoutActivities(
            operatorType: .notEqualTo, quantityType: heart, sumQuantity: rate(1))
        #expect(some(sum))
        #expect(
            !some(
                HKQuery.predicateForWorkoutActivities(
                    operatorType: .equalTo, quantityType: heart, sumQuantity: rate(1))))
        let outside = HKQuery.predicateForWorkouts(
            activityPredicate: HKQuery.predicateForWorkouts(with: .running))
        #expect(
            outside.rejectionReason(for: .workoutType())?
                .contains("not an attribute of a workout's activities") == true)
    }
}

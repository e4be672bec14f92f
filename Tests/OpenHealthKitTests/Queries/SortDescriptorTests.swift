import Foundation
import HealthEngine
import HealthTesting
import OpenHealthKit
import Testing

/// `NSSortDescriptor(key:ascending:)` on samples in memory.
@Suite struct SortDescriptorTests {
    private let early = PredicateSamples.steps(from: 0, to: 90)
    private let late = PredicateSamples.steps(from: 10, to: 20)

    @Test(
        "§9.9 samples are sorted by start and end, with constants and with property names",
        .covers("HKSampleSortIdentifierStartDate", "HKSampleSortIdentifierEndDate"))
    func dates() {
        for key in [HKSampleSortIdentifierStartDate, "startDate"] {
            let sort = NSSortDescriptor(key: key, ascending: true)
            #expect(sort.key == key && sort.ascending)
            #expect(sort.compare(early, to: late) == .orderedAscending)
            #expect(sort.compare(early, to: early) == .orderedSame)
            let reversed = sort.reversedSortDescriptor as? NSSortDescriptor
            #expect(reversed?.key == key && reversed?.ascending == false)
            #expect(reversed?.compare(early, to: late) == .orderedDescending)
        }
        for key in [HKSampleSortIdentifierEndDate, "endDate"] {
            let sort = NSSortDescriptor(key: key, ascending: false)
            #expect(sort.compare(early, to: late) == .orderedAscending)
            #expect(sort.compare(late, to: early) == .orderedDescending)
        }
        let sorted = NSArray(array: [late, early]).sortedArray(using: [
            NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
        ])
        #expect((sorted as? [HKSample]) == [early, late])
    }

    @Test(
        "§9.9 workouts are sorted by duration and totals; those without a total come first",
        .covers(
            "HKWorkoutSortIdentifierDuration", "HKWorkoutSortIdentifierTotalDistance",
            "HKWorkoutSortIdentifierTotalEnergyBurned"))
    func workouts() {
        func workout(_ duration: Double, _ statistics: [(HKQuantityTypeIdentifier, String, Double)])
            -> HKWorkout
        {
            PredicateSamples.workout(
                duration: duration,
                statistics: statistics.map {
                    WorkoutStatistics(type: $0.0.rawValue, unit: $0.1, sum: $0.2)
                })
        }
        let none = workout(1, [])
        let some = workout(
            2, [(.distanceWalkingRunning, "km", 1), (.activeEnergyBurned, "kcal", 9)])
        let more = workout(
            3, [(.distanceWalkingRunning, "m", 1500), (.activeEnergyBurned, "J", 9e6)])
        for key in [
            HKWorkoutSortIdentifierDuration, HKWorkoutSortIdentifierTotalDistance,
            HKWorkoutSortIdentifierTotalEnergyBurned, "duration", "totalDistance",
        ] {
            let sort = NSSortDescriptor(key: key, ascending: true)
            #expect(sort.compare(none, to: some) == .orderedAscending, "\(key)")
            #expect(sort.compare(more, to: some) == .orderedDescending, "\(key)")
            #expect(sort.compare(none, to: none) == .orderedSame)
            #expect(sort.compare(none, to: early) == .orderedSame)
        }
    }

    @Test("a sort descriptor with an unknown key has the key and does not sort")
    func unknownKeys() {
        for key in ["steps", "", nil] {
            let sort = NSSortDescriptor(key: key, ascending: true)
            #expect(sort.key == key ?? "self")
            #expect(sort.compare(early, to: late) == .orderedSame)
            #expect(sort.keyPath != \HKSample.startDate)
        }
        #expect(NSSortDescriptor(keyPath: \HKSample.startDate, ascending: true).key == nil)
    }
}

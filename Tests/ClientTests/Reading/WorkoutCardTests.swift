import Foundation
import HealthKit
import Testing

/// Foundation APIs that Linux lacks and `import HealthKit` provides.
@Suite struct WorkoutCardTests {
    @Test("a workout's duration, distance, energy and age are formatted as on a phone")
    func card() {
        let start = Date(timeIntervalSinceReferenceDate: 796_000_000)
        let end = start.addingTimeInterval(3_909)
        let workout = HKWorkout(
            activityType: .running, start: start, end: end, duration: 3_909,
            totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 611),
            totalDistance: HKQuantity(unit: .meter(), doubleValue: 10_210), metadata: nil)
        let now = end.addingTimeInterval(2 * 3_600 + 120)
        let card = WorkoutCard(workout, now: now, locale: Locale(identifier: "en_US"))
        #expect(card.duration == "01:05:09")
        #expect(card.distance == "6.3 mi")
        #expect(card.energy == "611 Cal")
        #expect(card.age == "2 hours ago")
        let metric = WorkoutCard(workout, now: now, locale: Locale(identifier: "en_AU"))
        #expect(metric.distance == "10.2 km")
    }
}

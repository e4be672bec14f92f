import Foundation
import HealthKit
import XCTest

final class WorkoutLineTests: XCTestCase {
    /// `import HealthKit` provides the formatters that Foundation on Linux lacks.
    func testWorkoutIsFormattedAsOnAPhone() {
        let start = Date(timeIntervalSinceReferenceDate: 796_000_000)
        let end = start.addingTimeInterval(3_909)
        let workout = HKWorkout(
            activityType: .cycling, start: start, end: end, duration: 3_909,
            totalEnergyBurned: nil,
            totalDistance: HKQuantity(unit: .meter(), doubleValue: 21_456), metadata: nil)
        XCTAssertEqual(
            WorkoutLine(workout: workout).text(now: end.addingTimeInterval(86_400)),
            "1h 5m, 21.46 km, 1 day ago")
    }
}

import Foundation
import Testing

@testable import HealthDashboard

@Suite struct WorkoutSpeedTests {
    private func text(_ activity: String, _ metres: Double, _ seconds: Double) -> String? {
        WorkoutSpeed(of: activity).text(metres: metres, seconds: seconds)
    }

    @Test("walks, runs and hikes have a pace, swims one of 100 m, others a speed")
    func forms() {
        #expect(text("running", 10_000, 3420) == "5:42 min/km")
        #expect(text("walking", 500, 360) == "12:00 min/km")
        #expect(text("hiking", 1000, 3599.6) == "60:00 min/km")
        #expect(text("swimming", 1500, 1875) == "2:05 min/100 m")
        #expect(text("cycling", 21_400, 3600) == "21.4 km/h")
        let run = WorkoutSpeed(of: "running")
        #expect(run.number(metres: 1609.344, seconds: 480, per: .mile) == "8:00")
        #expect(run.unit(per: .mile) == "min/mi")
        let ride = WorkoutSpeed(of: "cycling")
        #expect(ride.number(metres: 16_093.44, seconds: 3600, per: .mile) == "10.0")
        #expect(ride.unit(per: .mile) == "mph")
    }

    @Test("there is no pace without a distance or duration, and extreme ones don't trap")
    func extremes() {
        for bad in [0, -1, .nan, .infinity] as [Double] {
            #expect(text("running", bad, 100) == nil)
            #expect(text("running", 100, bad) == nil)
        }
        #expect(text("running", 5e-324, 1e300) != nil)
        #expect(text("cycling", 1e300, 5e-324) != nil)
    }

    @Test("minutes are rounded to seconds")
    func minutes() {
        #expect(WorkoutText.minutes(0) == "0:00")
        #expect(WorkoutText.minutes(59.5) == "1:00")
        #expect(WorkoutText.minutes(4510) == "75:10")
        #expect(WorkoutText.minutes(-61) == "-1:01")
    }
}

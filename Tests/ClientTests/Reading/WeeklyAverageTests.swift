import Foundation
import OpenHealthKit
import Testing

/// Averages that a Double can represent are exact.
@Suite struct WeeklyAverageTests {
    @Test(
        "the average of numbers is exact in the unit they were recorded in",
        arguments: [
            (HKQuantityTypeIdentifier.heartRate, "count/min", [60.0, 80], 70.0),
            (.respiratoryRate, "count/min", [13, 14, 18], 15),
            (.bodyMass, "lb", [150, 153], 151.5),
            (.bodyMass, "kg", [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 0.1),
            (.height, "ft", [5.5, 6.5], 6), (.bodyTemperature, "degF", [98, 99.5], 98.75),
        ] as [(HKQuantityTypeIdentifier, String, [Double], Double)])
    func exact(
        type: HKQuantityTypeIdentifier, unit: String, values: [Double], average: Double
    ) async throws {
        let fixture = try ClientFixture()
        try await fixture.authorize(read: [HKQuantityType(type)])
        let unit = HKUnit(from: unit)
        try await fixture.record(
            type, unit, values.enumerated().map { (Double($0) * 0.1, 0, $1) },
            by: fixture.watch)
        let weekly = WeeklyAverage(
            healthStore: fixture.store, calendar: fixture.calendar)
        #expect(
            try await weekly.averages(
                of: type, in: unit, from: fixture.midnight,
                to: fixture.midnight + 14 * 86_400) == [average])
        #expect(try await weekly.average(of: type, in: unit) == average)
    }
}

import Foundation
import HealthEngine
import Testing

@testable import HealthDashboard

@Suite struct HeartRateZonesTests {
    private let start = Date(timeIntervalSinceReferenceDate: 731_757_600)
    private let days = CivilDate(2023, 3, 1)...CivilDate(2024, 3, 31)

    private func bucket(_ value: Double?, at seconds: Double) -> HealthSeries.Point {
        HealthSeries.Point(start: start + seconds, end: start + seconds + 15, value: value)
    }

    private func zones(_ points: [HealthSeries.Point], _ maximum: Double = 200) -> HeartRateZones? {
        HeartRateZones(of: points, maximum: maximum, in: days)
    }

    @Test("a lower bound is part of its zone, and more than the maximum of the last zone")
    func bounds() throws {
        let values: [Double] = [99.9, 100, 119.9, 120, 140, 160, 180, 200, 210]
        let points = values.enumerated().map { bucket($0.element, at: Double($0.offset) * 15) }
        let found = try #require(zones(points))
        #expect(found.zones.map(\.low) == [100, 120, 140, 160, 180])
        #expect(found.zones.map(\.high) == [120, 140, 160, 180, 200])
        #expect(found.zones.map(\.seconds) == [30, 15, 15, 15, 45])
        #expect(found.below == 15)
        #expect(found.maximum == 200)
        #expect(found.first == days.lowerBound && found.last == days.upperBound)
    }

    @Test("a value lasts until the next one, at most a minute after its bucket")
    func gaps() throws {
        let points = [
            bucket(110, at: 0), bucket(nil, at: 15), bucket(130, at: 40), bucket(150, at: 400),
        ]
        let found = try #require(zones(points))
        #expect(found.zones.map(\.seconds) == [40, 75, 15, 0, 0])
    }

    @Test("there are no zones without a heart rate or without a maximum")
    func none() {
        #expect(zones([]) == nil)
        #expect(zones([bucket(nil, at: 0), bucket(.nan, at: 15)]) == nil)
        for maximum in [0, -1, .nan, .infinity] as [Double] {
            #expect(zones([bucket(110, at: 0)], maximum) == nil)
        }
    }
}

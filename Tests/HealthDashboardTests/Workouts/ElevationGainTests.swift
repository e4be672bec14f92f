import Foundation
import Testing

@testable import HealthDashboard

@Suite struct ElevationGainTests {
    private func points(
        _ altitudes: [Double?], gapBefore pause: Int? = nil
    ) -> [WorkoutDetail.RoutePoint] {
        altitudes.enumerated().map { index, altitude in
            let gap = pause.map { index >= $0 ? 120.0 : 0 } ?? 0
            return .init(
                time: Date(timeIntervalSinceReferenceDate: Double(index) * 10 + gap), latitude: 0,
                longitude: 0, altitude: altitude)
        }
    }

    private func gain(_ altitudes: [Double?], gapBefore pause: Int? = nil) -> Double? {
        RouteTrack(points(altitudes, gapBefore: pause), recordedDistance: nil).climb
    }

    @Test("climbs add up, descents do not subtract")
    func climbs() {
        let up: [Double?] = (0...10).map { Double($0) }
        let down: [Double?] = up.reversed()
        #expect(gain(up) == 10)
        #expect(gain(up + down + up.prefix(6)) == 15)
        #expect(gain(down) == 0)
    }

    @Test("changes of less than three metres are noise")
    func noise() {
        let flat: [Double?] = (0..<200).map { 100 + Double($0 % 2) * 2.9 }
        #expect(gain(flat) == 0)
        #expect(gain([100, 102.9]) == 0)
        #expect(gain([100, 103]) == 3)
        // A small dip belongs to the climb, one of three metres ends it.
        #expect(gain([0, 5, 3, 8]) == 8)
        #expect(gain([0, 5, 2, 7]) == 10)
        #expect(ElevationGain.climbs(points([0, 5, 3, 8])) == [0, 5, 0, 3])
        #expect(ElevationGain.climbs(points([9, 4, 1, 2, 6, 5, 7])) == [0, 0, 0, 1, 4, 0, 1])
    }

    @Test("the height of a pause is no climb, and unknown altitudes are skipped")
    func gaps() {
        #expect(gain([0, 5, 105, 110]) == 110)
        #expect(gain([0, 5, 105, 110], gapBefore: 2) == 10)
        #expect(gain([0, nil, .nan, 10]) == 10)
        #expect(gain([nil, 10, nil]) == nil)
        #expect(gain([]) == nil)
    }
}

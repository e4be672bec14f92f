import Foundation
import Testing

@testable import HealthDashboard

/// Splits of routes along the equator, where the distance of two points is easy to compute.
@Suite struct WorkoutSplitTests {
    private let start = Date(timeIntervalSinceReferenceDate: 731_757_600)
    /// The length of a degree of the equator on a sphere with a radius of 6,371,008.77 m.
    private let degree = 111_195.0797

    /// Returns points every 10 seconds, 25 m apart: 2.5 m/s.
    private func run(
        _ count: Int, from metres: Double = 0, after seconds: Double = 0,
        altitude: (Int) -> Double? = { _ in nil }
    ) -> [WorkoutDetail.RoutePoint] {
        (0..<count).map { index in
            .init(
                time: start + seconds + Double(index) * 10, latitude: 0,
                longitude: (metres + Double(index) * 25) / degree, altitude: altitude(index))
        }
    }

    private func splits(
        _ points: [WorkoutDetail.RoutePoint], every unit: WorkoutSplit.Unit = .kilometre,
        recorded: Double? = nil, heartRate: [HealthSeries.Point] = []
    ) -> [WorkoutSplit] {
        WorkoutSplit.splits(
            of: RouteTrack(points, recordedDistance: recorded), every: unit, heartRate: heartRate)
    }

    private func isClose(_ values: [Double], _ expected: [Double]) -> Bool {
        values.count == expected.count
            && zip(values, expected).allSatisfy { abs($0 - $1) < 0.01 }
    }

    @Test("a constant speed gives equal splits, and the last, shorter one is marked")
    func constantSpeed() {
        let found = splits(run(85))
        #expect(isClose(found.map(\.distance), [1000, 1000, 100]))
        #expect(isClose(found.map(\.seconds), [400, 400, 40]))
        #expect(found.map(\.isPartial) == [false, false, true])
        #expect(isClose(found.map { $0.start.timeIntervalSince(start) }, [0, 400, 800]))
        #expect(isClose(found.map { $0.end.timeIntervalSince(start) }, [400, 800, 840]))
        #expect(found.allSatisfy { $0.averageHeartRate == nil && $0.elevationGain == nil })
        // Exactly two kilometres have no third split.
        #expect(splits(run(81)).map(\.isPartial) == [false, false])
        let miles = splits(run(85), every: .mile)
        #expect(isClose(miles.map(\.distance), [1609.344, 490.656]))
        #expect(isClose(miles.map(\.seconds), [643.7376, 196.2624]))
    }

    @Test("a route is scaled to the recorded distance if both differ by less than 20 %")
    func scaled() {
        let longer = splits(run(85), recorded: 2310)
        #expect(isClose(longer.map(\.distance), [1000, 1000, 310]))
        #expect(isClose(longer.map(\.seconds), [363.636, 363.636, 112.727]))
        for recorded in [3000, 1000, 0, -1, .nan, .infinity] as [Double] {
            let found = splits(run(85), recorded: recorded)
            #expect(isClose(found.map(\.distance), [1000, 1000, 100]), "\(recorded)")
        }
    }

    @Test("a pause of more than a minute is neither distance nor time")
    func pause() {
        // 500 m, then 300 m during the pause, then 500 m.
        func route(pause: Double) -> [WorkoutDetail.RoutePoint] {
            run(21) + run(21, from: 800, after: 200 + pause)
        }
        let paused = splits(route(pause: 61))
        #expect(isClose(paused.map(\.distance), [1000]))
        #expect(isClose(paused.map(\.seconds), [400]))
        #expect(isClose(paused.map { $0.end.timeIntervalSince(start) }, [461]))
        #expect(isClose(splits(route(pause: 60)).map(\.distance), [1000, 300]))
    }

    @Test("heart rates count in proportion to their overlap, and climbs belong to their split")
    func heartRateAndClimb() {
        // 420 seconds of 100 bpm, then 160 bpm.
        let heartRate = (0..<14).map { index in
            HealthSeries.Point(
                start: start + Double(index) * 60, end: start + Double(index + 1) * 60,
                value: index < 7 ? 100 : 160)
        }
        // A metre up every 25 m in the first kilometre.
        let found = splits(
            run(85, altitude: { Double(min($0, 40)) }), heartRate: heartRate)
        #expect(isClose(found.compactMap(\.averageHeartRate), [100, 157, 160]))
        #expect(isClose(found.compactMap(\.elevationGain), [40, 0, 0]))
    }

    @Test("no splits without a route, without distance, or for a route of wrong places")
    func none() {
        #expect(splits([]).isEmpty)
        #expect(splits(run(1)).isEmpty)
        #expect(splits(Array(repeating: run(1)[0], count: 50)).isEmpty)
        // Half around the earth in each second.
        let jumps = (0..<100).map { index in
            WorkoutDetail.RoutePoint(
                time: start + Double(index), latitude: 0, longitude: index % 2 == 0 ? 0 : 179)
        }
        #expect(splits(jumps).isEmpty)
        // An invalid point is skipped, so the points beside it are connected.
        var damaged = run(81)
        damaged[3].latitude = 91
        damaged[5].longitude = .nan
        #expect(isClose(splits(damaged).map(\.distance), [1000, 1000]))
    }

    @Test("of overlapping routes, the one that starts first is used")
    func overlapping() {
        let (first, second) = (run(21), run(41, from: 3, after: 5))
        let joined = RouteTrack.joined([second, first.reversed()])
        #expect(joined.prefix(21) == first[...])
        #expect(joined.dropFirst(21).allSatisfy { $0.time > start + 200 })
        #expect(joined.count == 21 + second.count { $0.time > start + 200 })
        #expect(RouteTrack.joined([[], []]).isEmpty)
    }
}

import Foundation
import HealthCalendar
import HealthDashboard
import OpenHealthKit
import Testing

@testable import HealthServer

/// A route from HealthKit's samples to the drawing.
@Suite struct WorkoutRouteTests {
    private let start = Date(timeIntervalSinceReferenceDate: 731_757_600)
    private let store = HKHealthStore.inMemory(
        configuration: HealthStoreConfiguration(authorization: .assumed))

    /// A walk around a square, one minute per side, with a break of ten minutes halfway.
    private var way: [CLLocation] {
        (0..<240).map { second in
            let (side, share) = (second / 60, Double(second % 60) / 60)
            let (north, east) =
                side == 0
                ? (share, 0)
                : side == 1
                    ? (1, share)
                    : side == 2
                        ? (1 - share, 1)
                        : (0, 1 - share)
            return CLLocation(
                coordinate: CLLocationCoordinate2D(
                    latitude: 60 + north / 1000, longitude: 13 + east / 500),
                altitude: 0, horizontalAccuracy: 5, verticalAccuracy: 5, course: 0, speed: 3,
                timestamp: start + Double(second) + (second < 120 ? 0 : 600))
        }
    }

    private func record(_ locations: [CLLocation]) async throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .walking
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: configuration, device: nil)
        try await builder.beginCollection(at: start)
        try await builder.endCollection(at: start + 900)
        let workout = try #require(try await builder.finishWorkout())
        let route = HKWorkoutRouteBuilder(healthStore: store, device: nil)
        try await route.insertRouteData(locations)
        _ = try await route.finishRoute(with: workout, metadata: nil)
        return workout
    }

    private func html(of workout: HKWorkout) async throws -> Markup {
        let context = PageContext(
            now: start + 86_400, calendar: .gregorian(in: .gmt))
        let service = HealthKitService(store: store, calendar: context.calendar)
        let page = try await WorkoutsPage(
            of: service, over: DateInterval(start: .distantPast, end: .distantFuture),
            chosen: workout.uuid, context: context)
        return try Markup(page.html(PageFrame()))
    }

    /// Returns the strokes of a path with absolute lines.
    private func strokes(_ path: String) -> [[(x: Double, y: Double)]] {
        path.split(separator: "M").map { stroke in
            stroke.split(separator: "L").compactMap { point in
                let parts = point.split(separator: " ").compactMap { Double($0) }
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
        }
    }

    @Test("every location is drawn to scale with north up, and pauses are gaps")
    func drawn() async throws {
        let markup = try await html(of: record(way))
        let figure = try #require(
            markup.elements.first { $0.attributes["class"] == "way" }?.attributes["d"])
        let strokes = strokes(figure)
        #expect(strokes.map(\.count) == [120, 120])
        let points = strokes.joined().map { $0 }
        #expect(points.allSatisfy { (0...640).contains($0.x) && (0...400).contains($0.y) })
        // At 60° north a degree of longitude is half as long as one of latitude: a square.
        let (wide, high) = try (
            #require(points.map(\.x).max()) - #require(points.map(\.x).min()),
            #require(points.map(\.y).max()) - #require(points.map(\.y).min())
        )
        #expect(abs(wide / high - 1) < 0.01)
        // The first side goes up, the second one right.
        let corners = (points[0], points[60], points[120])
        #expect(abs(corners.0.x - corners.1.x) < 0.2 && corners.0.y > corners.1.y + 100)
        #expect(corners.2.x > corners.1.x + 100 && abs(corners.2.y - corners.1.y) < 0.2)
        let dot = try #require(markup.elements.first { $0.attributes["class"] == "way-start" })
        #expect(dot.attributes["cx"].flatMap(Double.init) == points[0].x)
        #expect(dot.attributes["cy"].flatMap(Double.init) == points[0].y)
        let end = try #require(markup.elements.first { $0.attributes["class"] == "way-end" })
        #expect(end.attributes["cx"].flatMap(Double.init) == points.last?.x)
    }

    @Test("a single location is no route, and without permission no route is shown")
    func none() async throws {
        let markup = try await html(of: record(Array(way.prefix(1))))
        #expect(!markup.elements.contains { $0.attributes["class"] == "way" })
        #expect(markup.elements.contains { $0.text == "No route was recorded." })
    }
}

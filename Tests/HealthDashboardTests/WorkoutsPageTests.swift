import Foundation
import HealthEngine
import OpenHealthKit
import Testing

@testable import HealthDashboard

/// The content of the page of workouts.
@Suite struct WorkoutsPageTests {
    private let start = Date(timeIntervalSinceReferenceDate: 731_757_600)
    private let always = DateInterval(start: .distantPast, end: .distantFuture)
    private let beats = HKUnit.count().unitDivided(by: .minute())

    private func summary(_ activity: String, at start: Date, minutes: Double) -> WorkoutSummary {
        WorkoutSummary(
            id: UUID(), activity: activity, start: start, end: start + minutes * 60,
            duration: minutes * 60, distance: nil, energy: nil, averageHeartRate: nil,
            maximumHeartRate: nil, source: "Watch", hasRoute: false)
    }

    @Test("the list is in the range, newest first; the detail may be outside of it")
    func list() async throws {
        let world = try PageWorld("UTC", now: start)
        var run = summary("running", at: start, minutes: 45)
        (run.distance, run.averageHeartRate) = (8200, 151.6)
        let walk = summary("walking", at: start - 86_400, minutes: 30)
        let swim = summary("swimming", at: start - 2 * 86_400, minutes: 20)
        var values = FakeHealthService.Values()
        values.workouts = [walk, run, swim].map {
            WorkoutDetail(summary: $0, heartRate: [], route: [])
        }
        let service = FakeHealthService(values, calendar: world.context.calendar)
        func page(
            _ range: DateInterval, limit: Int = 100, chosen: UUID? = nil
        ) async throws -> WorkoutsPage {
            try await WorkoutsPage(
                of: service, over: range, limit: limit, chosen: chosen, context: world.context)
        }
        let all = try await page(always)
        #expect(all.workouts == [run, walk, swim] && all.detail == nil)
        #expect(
            all.sentence
                == "3 workouts, 1:35 hours in total, the last on 10 March 2024 (running).")
        let some = try await page(DateInterval(start: walk.start, end: run.start), chosen: run.id)
        #expect(some.workouts == [walk])
        #expect(some.detail?.summary == run)
        #expect(
            some.sentence == "Running on 10 March 2024: 0:45 hours, 8.20 km, 152 bpm on average.")
        #expect(try await page(always, limit: 1).workouts == [run])
        let plain = try await page(always, chosen: swim.id)
        #expect(plain.sentence == "Swimming on 8 March 2024: 0:20 hours.")
        let unknown = try await page(always, chosen: UUID())
        #expect(unknown.detail == nil && unknown.workouts.count == 3)
        let none = try await page(DateInterval(start: start + 1, duration: 60))
        #expect(none.workouts.isEmpty)
        #expect(none.sentence.hasPrefix("No workouts. Either none was recorded, or reading"))
    }

    @Test("a workout has only its own route and heart rates")
    func detail() async throws {
        let world = try PageWorld("UTC", now: start + 86_400)
        for seconds in stride(from: -600.0, through: 2400, by: 60) {
            try await world.save(
                .heartRate, seconds < 0 || seconds >= 1800 ? 70 : 140, beats, at: start + seconds)
        }
        let route = (0..<30).map { minute in
            location(52.5 + Double(minute) / 1000, 13.4, at: start + Double(minute) * 60)
        }
        let run = try await record(.running, minutes: 30, at: start, route, in: world)
        let indoors = try await record(.yoga, minutes: 20, at: start + 36_000, [], in: world)
        let page = try await WorkoutsPage(
            of: world.service, over: always, chosen: run.uuid, context: world.context)
        #expect(page.workouts.map(\.id) == [indoors.uuid, run.uuid])
        #expect(page.workouts.map(\.hasRoute) == [false, true])
        #expect(page.workouts.map(\.activity) == ["yoga", "running"])
        let detail = try #require(page.detail)
        #expect(detail.summary == page.workouts[1])
        #expect(detail.summary.duration == 1800)
        #expect(detail.route.map(\.time) == route.map(\.timestamp))
        #expect(detail.route.map(\.latitude) == route.map(\.coordinate.latitude))
        #expect(detail.route.map(\.longitude) == route.map(\.coordinate.longitude))
        #expect(detail.heartRate.compactMap(\.value) == Array(repeating: 140, count: 30))
        #expect(detail.heartRate.allSatisfy { start <= $0.start && $0.end <= start + 1800 })
        let yoga = try #require(try await world.service.workout(indoors.uuid))
        #expect(yoga.route.isEmpty && yoga.heartRate.compactMap(\.value).isEmpty)
        #expect(try await world.service.workout(UUID()) == nil)
        // A deleted workout is removed from both.
        try await world.store.delete(run)
        let after = try await WorkoutsPage(
            of: world.service, over: always, chosen: run.uuid, context: world.context)
        #expect(after.workouts.map(\.id) == [indoors.uuid] && after.detail == nil)
    }

    @Test("a long route is reduced to 2,000 points, in order, from the first")
    func longRoute() async throws {
        let world = try PageWorld("UTC", now: start + 86_400)
        let recorded = (0..<4100).map { second in
            location(0, Double(second) / 100_000, at: start + Double(second))
        }
        let ride = try await record(.cycling, minutes: 90, at: start, recorded, in: world)
        let route = try #require(try await world.service.workout(ride.uuid)).route
        #expect((1000...2000).contains(route.count))
        #expect(route.first?.time == start)
        #expect(zip(route, route.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    private func location(_ latitude: Double, _ longitude: Double, at time: Date) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 30, horizontalAccuracy: 5, verticalAccuracy: 5, course: 0, speed: 3,
            timestamp: time)
    }

    /// Records a workout like an app, with its route inserted in two batches.
    private func record(
        _ activity: HKWorkoutActivityType, minutes: Double, at start: Date, _ route: [CLLocation],
        in world: PageWorld
    ) async throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        let builder = HKWorkoutBuilder(
            healthStore: world.store, configuration: configuration, device: nil)
        try await builder.beginCollection(at: start)
        try await builder.endCollection(at: start + minutes * 60)
        let workout = try #require(try await builder.finishWorkout())
        if route.isEmpty { return workout }
        let routeBuilder = HKWorkoutRouteBuilder(healthStore: world.store, device: nil)
        try await routeBuilder.insertRouteData(Array(route.prefix(route.count / 2)))
        try await routeBuilder.insertRouteData(Array(route.dropFirst(route.count / 2)))
        _ = try await routeBuilder.finishRoute(with: workout, metadata: nil)
        return workout
    }
}

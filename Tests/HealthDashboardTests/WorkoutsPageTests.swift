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
        #expect(all.sentence == "3 workouts, the last on Sunday 10 March")
        #expect(all.total == 3 && all.matching == 3 && all.older == nil)
        #expect(all.activities.map(\.name) == ["running", "swimming", "walking"])
        #expect(all.weeks.last?.count == 3 && all.records.count == 5)
        let some = try await page(DateInterval(start: walk.start, end: run.start), chosen: run.id)
        #expect(some.workouts == [walk])
        #expect(some.detail?.summary == run)
        #expect(some.sentence == "Running, 8.20 km in 0:45, Sunday 10 March")
        #expect(try await page(always, limit: 1).workouts == [run])
        let plain = try await page(always, chosen: swim.id)
        #expect(plain.sentence == "Swimming, 0:20 h, Friday 8 March")
        let unknown = try await page(always, chosen: UUID())
        #expect(unknown.detail == nil && unknown.workouts.count == 3)
        let none = try await page(DateInterval(start: start + 1, duration: 60))
        #expect(none.workouts.isEmpty)
        #expect(none.sentence == "3 workouts, none earlier")
        let nothing = FakeHealthService(FakeHealthService.Values())
        let empty = try await WorkoutsPage(of: nothing, over: always, context: world.context)
        #expect(empty.sentence == "No workouts" && empty.total == 0)
        #expect(empty.weeks.isEmpty && empty.records.isEmpty)
    }

    @Test("a filter searches all workouts, also those of the same activity far back")
    func filter() async throws {
        let world = try PageWorld("UTC", now: start)
        var values = FakeHealthService.Values()
        // A thousand runs since Sunday 10 March, with a swim after every 100th.
        values.workouts = (0..<1000).flatMap { index -> [WorkoutDetail] in
            let date = start - Double(index) * 86_400
            let names = index % 100 == 99 ? ["running", "swimming"] : ["running"]
            return names.map { name in
                WorkoutDetail(
                    summary: summary(name, at: date, minutes: 30), heartRate: [], route: [])
            }
        }
        let service = FakeHealthService(values, calendar: world.context.calendar)
        func page(
            _ filter: WorkoutFilter, limit: Int = 4, before: Date = .distantFuture
        ) async throws -> WorkoutsPage {
            try await WorkoutsPage(
                of: service, over: DateInterval(start: .distantPast, end: before), limit: limit,
                filter: filter, context: world.context)
        }
        let swims = WorkoutFilter(activity: "swimming")
        let first = try await page(swims)
        #expect(first.sentence == "10 swimming workouts, the last on Saturday 2 December 2023")
        #expect(first.workouts.count == 4 && first.total == 1010 && first.matching == 10)
        #expect(first.records.allSatisfy { $0.activity == "swimming" })
        let second = try await page(swims, before: try #require(first.older))
        #expect(second.workouts.count == 4 && second.workouts.first == first.workouts.last)
        let days = WorkoutFilter(from: CivilDate(2024, 3, 1), to: CivilDate(2024, 3, 10))
        let march = try await page(days, limit: 100)
        #expect(march.workouts.count == 10 && march.older == nil)
        #expect(march.sentence == "10 workouts, 1–10 Mar 2024")
        #expect(try await page(days).sentence == "More than 4 workouts, 1–10 Mar 2024")
        var both = WorkoutFilter(activity: "swimming", from: CivilDate(2023, 1, 1))
        let since = try await page(both)
        #expect(since.workouts.count == 4 && since.older == nil && since.matching == 4)
        #expect(since.sentence == "4 swimming workouts since 1 January 2023")
        both = WorkoutFilter(activity: "running", to: CivilDate(2020, 1, 1))
        #expect(try await page(both).sentence == "No running workouts until 1 January 2020")
        // The first and the last possible day.
        let bounds = CivilDate.supportedRange
        let whole = WorkoutFilter(from: bounds.lowerBound, to: bounds.upperBound)
        #expect(try await page(whole).workouts.count == 4)
        #expect(try await page(WorkoutFilter(from: bounds.upperBound)).workouts.isEmpty)
        let reversed = WorkoutFilter(from: CivilDate(2024, 3, 2), to: CivilDate(2024, 3, 1))
        #expect(try await page(reversed).workouts.isEmpty)
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
        #expect(detail.route.map(\.altitude) == Array(repeating: 30, count: 30))
        // 29 legs of 0.001° of latitude are 3,224.66 m.
        #expect(detail.splits.map(\.isPartial) == [false, false, false, true])
        let rest = try #require(detail.splits.last)
        #expect(abs(rest.distance - 224.66) < 0.01)
        #expect(detail.splits.allSatisfy { $0.averageHeartRate == 140 })
        #expect(detail.mileSplits.count == 3)
        #expect(detail.elevationGain == 0)
        // 29 values last until the next one, the last for its bucket; 140 is also the highest.
        let zones = try #require(page.zones)
        #expect(zones.maximum == 140 && zones.below == 0)
        #expect(zones.zones.map(\.seconds) == [0, 0, 0, 0, 29 * 60 + 15])
        #expect(zones.first == CivilDate(2023, 3, 1) && zones.last == CivilDate(2024, 3, 31))
        #expect(detail.heartRate.compactMap(\.value) == Array(repeating: 140, count: 30))
        #expect(detail.heartRate.allSatisfy { start <= $0.start && $0.end <= start + 1800 })
        let indoorPage = try await WorkoutsPage(
            of: world.service, over: always, chosen: indoors.uuid, context: world.context)
        #expect(indoorPage.zones == nil && indoorPage.detail?.splits == [])
        #expect(indoorPage.detail?.elevationGain == nil)
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
        let detail = try #require(try await world.service.workout(ride.uuid))
        // All points count for the splits: 4,099 legs of 0.00001° are 4,557.89 m.
        #expect(detail.splits.count == 5)
        #expect(abs(detail.splits.map(\.distance).reduce(0, +) - 4557.89) < 0.01)
        let route = detail.route
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

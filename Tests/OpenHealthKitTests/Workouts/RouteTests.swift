import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

@Suite("Workout routes")
struct RouteTests {
    let fixture = WorkoutFixture()

    private func locations(_ count: Int) -> [CLLocation] {
        (0..<count).map { index in
            CLLocation(
                coordinate: CLLocationCoordinate2D(
                    latitude: 48 + Double(index) * 1e-5, longitude: 11),
                altitude: 500, horizontalAccuracy: 5, verticalAccuracy: 4, course: 0,
                courseAccuracy: 1, speed: 3, speedAccuracy: 0.25,
                timestamp: fixture.at(Double(index))
            )
        }
    }

    private func workout() async throws -> HKWorkout {
        try await fixture.authorize()
        let builder = fixture.builder()
        try await builder.beginCollection(at: fixture.start)
        try await builder.endCollection(at: fixture.at(3600))
        return try #require(try await builder.finishWorkout())
    }

    /// Returns the sizes of a route query's batches, with their `done` flags.
    private func batches(_ route: HKWorkoutRoute) async throws -> [(count: Int, isDone: Bool)] {
        let store = fixture.store
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: (count: Int, isDone: Bool).self)
        let query = HKWorkoutRouteQuery(route: route) { _, locations, isDone, error in
            if let error { return continuation.finish(throwing: error) }
            continuation.yield((locations?.count ?? -1, isDone))
            if isDone { continuation.finish() }
        }
        store.execute(query)
        var batches: [(count: Int, isDone: Bool)] = []
        for try await batch in stream { batches.append(batch) }
        return batches
    }

    @Test("a workout is not saved if its route can't be saved for lack of permission")
    func workoutWithDeniedRoute() async throws {
        let types: Set<HKSampleType> = [.workoutType(), HKSeriesType.workoutRoute()]
        var configuration = HealthStoreConfiguration.withoutSummary
        configuration.authorization = .types([HKSeriesType.workoutRoute(): .readOnly])
        let store = HKHealthStore.inMemory(configuration: configuration)
        try await store.requestAuthorization(toShare: types, read: types)
        let builder = HKWorkoutBuilder(
            healthStore: store, configuration: fixture.run(), device: nil)
        let route = try #require(
            builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
        try await builder.beginCollection(at: fixture.start)
        try await route.insertRouteData(locations(3))
        try await builder.endCollection(at: fixture.at(60))
        let error = await failure { _ = try await builder.finishWorkout() }
        #expect(error?.code == .errorAuthorizationDenied)
        #expect(try store.visibleCount(.workoutType()) == 0)
        route.discard()
        #expect(try await builder.finishWorkout() != nil)
        #expect(try store.visibleCount(.workoutType()) == 1)
    }

    @Test("a workout is not saved if the metadata of its route is invalid")
    func workoutWithRoughRoute() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        let route = try #require(
            builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
        try await builder.beginCollection(at: fixture.start)
        try await route.insertRouteData(locations(3))
        try await route.addMetadata(["odd": ["no", "value"]])
        try await builder.endCollection(at: fixture.at(60))
        let error = await failure { _ = try await builder.finishWorkout() }
        #expect(error?.code == .errorInvalidArgument)
        #expect(try fixture.store.visibleCount(.workoutType()) == 0)
    }

    @Test(
        "§10.5 all locations of a workout's route are returned, and done is reported once",
        .covers(
            "HKWorkoutRoute", "HKWorkoutRouteBuilder",
            "HKWorkoutRouteBuilder.init(healthStore:device:)",
            "HKWorkoutRouteBuilder.insertRouteData(_:)",
            "HKWorkoutRouteBuilder.finishRoute(with:metadata:)", "HKWorkoutRouteQuery",
            "HKWorkoutRouteQuery.init(route:dataHandler:)", "HKSeriesType.workoutRoute()",
            "HKWorkoutRouteBuilder.addMetadata(_:)", "HKWorkoutRouteQueryDescriptor",
            "HKWorkoutRouteQueryDescriptor.init(_:)",
            "HKWorkoutRouteQueryDescriptor.results(for:)"))
    func roundTrip() async throws {
        let workout = try await workout()
        let builder = HKWorkoutRouteBuilder(healthStore: fixture.store, device: nil)
        let path = locations(1_203)
        try await builder.insertRouteData(Array(path[600...]))
        try await builder.insertRouteData(Array(path[..<600]))
        try await builder.addMetadata(["a": 1])
        let saved = try await builder.finishRoute(with: workout, metadata: ["b": 2])
        #expect(saved.count == 1_203)
        #expect(saved.startDate == fixture.start)
        #expect(saved.endDate == fixture.at(1_202))
        #expect(saved.metadata?["a"] as? Int == 1)
        #expect(saved.metadata?["b"] as? Int == 2)

        let found = try await fixture.samples(
            of: HKSeriesType.workoutRoute(), HKQuery.predicateForObjects(from: workout))
        let route = try #require(found.first as? HKWorkoutRoute)
        #expect(route.uuid == saved.uuid)
        let batches = try await batches(route)
        #expect(batches.map(\.count).reduce(0, +) == 1_203)
        #expect(batches.filter(\.isDone).count == 1)
        #expect(batches.last?.isDone == true)
        #expect(batches.count > 1)

        var seen: [CLLocation] = []
        for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: fixture.store) {
            seen.append(location)
        }
        #expect(seen.map(\.timestamp) == path.map(\.timestamp))
        #expect(seen.map(\.coordinate.latitude) == path.map(\.coordinate.latitude))
        #expect(seen.first?.courseAccuracy == 1)
        #expect(seen.first?.speedAccuracy == 0.25)
    }

    @Test("§10.5 an empty route reports done once without locations")
    func empty() async throws {
        let workout = try await workout()
        let builder = HKWorkoutRouteBuilder(healthStore: fixture.store, device: nil)
        let route = try await builder.finishRoute(with: workout, metadata: nil)
        #expect(route.count == 0)
        #expect(route.startDate == workout.startDate)
        let batches = try await batches(route)
        #expect(batches.count == 1)
        #expect(batches.first?.count == 0)
        #expect(batches.first?.isDone == true)
    }

    @Test(
        "the completion-handler methods save a route, and a descriptor can be changed",
        .covers(
            "HKWorkoutRouteBuilder.insertRouteData(_:completion:)",
            "HKWorkoutRouteBuilder.addMetadata(_:completion:)",
            "HKWorkoutRouteBuilder.finishRoute(with:metadata:completion:)",
            "HKWorkoutRouteQueryDescriptor.workoutRoute"))
    func handlers() async throws {
        let workout = try await workout()
        func route(_ count: Int) async throws -> HKWorkoutRoute {
            let builder = HKWorkoutRouteBuilder(healthStore: fixture.store, device: nil)
            let path = locations(count)
            let isInserted = await withCheckedContinuation { continuation in
                builder.insertRouteData(path) { done, _ in continuation.resume(returning: done) }
            }
            let isAdded = await withCheckedContinuation { continuation in
                builder.addMetadata(["n": count]) { done, _ in continuation.resume(returning: done)
                }
            }
            #expect(isInserted && isAdded)
            return try await withCheckedThrowingContinuation { continuation in
                builder.finishRoute(with: workout, metadata: ["m": count]) { route, error in
                    let result = route.map { Result<HKWorkoutRoute, any Error>.success($0) }
                    continuation.resume(with: result ?? .failure(error ?? HKError(.unknownError)))
                }
            }
        }
        let (short, long) = (try await route(2), try await route(5))
        #expect(long.metadata?["n"] as? Int == 5 && long.metadata?["m"] as? Int == 5)
        var descriptor = HKWorkoutRouteQueryDescriptor(short)
        descriptor.workoutRoute = long
        var count = 0
        for try await _ in descriptor.results(for: fixture.store) { count += 1 }
        #expect(count == 5)
    }

    @Test(
        "a query for an interval returns the locations in it, including both ends",
        .covers("HKWorkoutRouteQuery.init(route:dateInterval:dataHandler:)"))
    func interval() async throws {
        let workout = try await workout()
        let builder = HKWorkoutRouteBuilder(healthStore: fixture.store, device: nil)
        try await builder.insertRouteData(locations(20))
        let route = try await builder.finishRoute(with: workout, metadata: nil)
        let interval = DateInterval(start: fixture.at(5), end: fixture.at(9))
        let count: Int = try await withCheckedThrowingContinuation { continuation in
            fixture.store.execute(
                HKWorkoutRouteQuery(route: route, dateInterval: interval) {
                    _, found, isDone, error in
                    if let error { continuation.resume(throwing: error) }
                    if isDone { continuation.resume(returning: found?.count ?? 0) }
                })
        }
        #expect(count == 5)
    }

    @Test(
        "§10.8 a workout builder finishes its own route with the workout",
        .covers("HKWorkoutBuilder.seriesBuilder(for:)"))
    func partOfBuilder() async throws {
        try await fixture.authorize()
        let builder = fixture.builder()
        let series = builder.seriesBuilder(for: .workoutRoute())
        let route = try #require(series as? HKWorkoutRouteBuilder)
        #expect(builder.seriesBuilder(for: .workoutRoute()) === route)
        #expect(builder.seriesBuilder(for: .heartbeat()) == nil)
        try await builder.beginCollection(at: fixture.start)
        try await route.insertRouteData(locations(10))
        try await builder.endCollection(at: fixture.at(60))
        let workout = try #require(try await builder.finishWorkout())
        let found = try await fixture.samples(
            of: HKSeriesType.workoutRoute(), HKQuery.predicateForObjects(from: workout))
        #expect((found.first as? HKWorkoutRoute)?.count == 10)
        await #expect(throws: HKError.self) {
            _ = try await route.finishRoute(with: workout, metadata: nil)
        }
    }

    @Test(
        "a batch with an invalid coordinate is rejected as a whole",
        .covers(
            "HKWorkoutRouteBuilder.insertRouteData(_:completion:)",
            "HKWorkoutRouteBuilder.addMetadata(_:completion:)"))
    func invalid() async throws {
        let builder = HKWorkoutRouteBuilder(healthStore: fixture.store, device: nil)
        let invalidLocation = CLLocation(latitude: 91, longitude: 0)
        await #expect {
            try await builder.insertRouteData(locations(3) + [invalidLocation])
        } throws: {
            isInvalidArgument($0) && $0.localizedDescription.contains("has invalid coordinates")
        }
        let workout = try await workout()
        let route = try await builder.finishRoute(with: workout, metadata: nil)
        #expect(route.count == 0)
        await #expect(throws: HKError.self) { try await builder.insertRouteData(locations(1)) }
        await #expect {
            try await builder.addMetadata(["a": 1])
        } throws: {
            isInvalidArgument($0) && $0.localizedDescription.contains("addMetadata")
        }
    }

    @Test("§8.10 a route needs a saved workout; a discarded route saves nothing")
    func unsaved() async throws {
        try await fixture.authorize()
        let workout = HKWorkout(activityType: .running, start: fixture.start, end: fixture.at(60))
        let builder = HKWorkoutRouteBuilder(healthStore: fixture.store, device: nil)
        try await builder.insertRouteData(locations(2))
        await #expect(throws: HKError.self) {
            _ = try await builder.finishRoute(with: workout, metadata: nil)
        }
        builder.discard()
        await #expect(throws: HKError.self) { try await builder.insertRouteData(locations(1)) }
        #expect(try await fixture.samples(of: HKSeriesType.workoutRoute(), nil).isEmpty)
    }
}

@Suite("Imported routes")
struct ImportedRouteTests {
    let store = HKHealthStore.inMemory(
        identity: AppIdentity("com.example.maps"), configuration: .withoutSummary)

    /// Writes a workout with routes, like an import.
    private func importWorkout(_ routes: [WorkoutRoute]) async throws -> HKWorkout {
        try await store.requestAuthorization(
            toShare: [], read: [.workoutType(), HKSeriesType.workoutRoute()])
        try write(routes, into: store)
        let found = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
            .result(for: store)
        return try #require(found.first)
    }

    private func write(_ routes: [WorkoutRoute], into store: HKHealthStore) throws {
        let row = try #require(HKObjectType.workoutType().row)
        var batch = SampleBatch(
            sources: [Source(name: "Watch", bundleIdentifier: "com.apple.health.1")],
            origins: [Origin(source: 0)])
        batch.samples = [
            Sample(type: row.code, origin: 0, metadata: -1, start: 0, end: 600, value: .nan)
        ]
        batch.details[0] = .workout(Workout(activityType: 37, routes: routes))
        try store.connection.store.save(batch, uuids: [SampleUUID(UUID())], at: 0)
    }

    private func route(from start: Double, points: Int) -> WorkoutRoute {
        WorkoutRoute(
            start: start, end: start + 60,
            points: (0..<points).map { index in
                RoutePoint(
                    time: start + Double(points - index), latitude: 48, longitude: 11, altitude: 0,
                    horizontalAccuracy: 1, verticalAccuracy: 1, course: 0, speed: 0)
            })
    }

    @Test(
        "§10.9 routes of imported workouts are found, and their points can be read",
        .covers("HKSamplePredicate.workoutRoute(_:)"))
    func reachable() async throws {
        let workout = try await importWorkout([
            route(from: 0, points: 3), route(from: 100, points: 0), route(from: 200, points: 2),
        ])
        let ofWorkout = HKQuery.predicateForObjects(from: workout)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(ofWorkout)],
            sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)]
        ).result(for: store)
        #expect(found.map(\.count) == [2, 3])
        #expect(found.first?.sourceRevision.source.name == "Watch")
        let last = try #require(found.last)
        var times: [Double] = []
        for try await location in HKWorkoutRouteQueryDescriptor(last).results(for: store) {
            times.append(location.timestamp.timeIntervalSinceReferenceDate)
        }
        #expect(times == [1, 2, 3])
        let all = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute()], sortDescriptors: [], limit: 1
        ).result(for: store)
        #expect(all == [last])
        for (range, count) in [(190.0...230.0, 1), (0.0...600.0, 2), (604_800.0...604_900.0, 0)] {
            let during = HKQuery.predicateForSamples(
                withStart: Date(timeIntervalSinceReferenceDate: range.lowerBound),
                end: Date(timeIntervalSinceReferenceDate: range.upperBound), options: [])
            let found = try await HKSampleQueryDescriptor(
                predicates: [.workoutRoute(during)], sortDescriptors: []
            ).result(for: store)
            #expect(found.count == count, "\(range)")
        }
        let other = HKWorkout(
            activityType: .running, start: workout.startDate, end: workout.endDate)
        let none = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: other))],
            sortDescriptors: []
        ).result(for: store)
        #expect(none.isEmpty)
    }

    @Test("§10.9 separately stored points of an import are counted, and read on demand")
    func separatePoints() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let row = try #require(HKObjectType.workoutType().row)
        try SampleStore.importSnapshot(
            into: path, SnapshotDescription(file: "a.zip", bytes: 1, importedAt: 0)
        ) { writer, context in
            var batch = SampleBatch(
                sources: [Source(name: "Watch", bundleIdentifier: "")],
                origins: [Origin(source: 0)])
            batch.samples = [
                Sample(
                    type: try writer.type(identifier: row.identifier), origin: 0, start: 0, end: 600
                )
            ]
            batch.details[0] = .workout(
                Workout(activityType: 37, routes: [route(from: 0, points: 1200)]))
            try writer.write(batch)
            try context.setHomeZone(HomeZone(identifier: "Europe/Berlin", reason: .specified))
            _ = try writer.finish(.complete)
        }
        let store = try HKHealthStore(path: path)
        try await store.requestAuthorization(
            toShare: [], read: [.workoutType(), HKSeriesType.workoutRoute()])
        let workout = try #require(
            try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
                .result(for: store).first)
        #expect(workout.content.routes.first?.points.isEmpty == true)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))],
            sortDescriptors: []
        ).result(for: store)
        #expect(found.map(\.count) == [1200])
        var times: [Double] = []
        let first = try #require(found.first)
        for try await location in HKWorkoutRouteQueryDescriptor(first).results(for: store) {
            times.append(location.timestamp.timeIntervalSinceReferenceDate)
        }
        #expect(times == (1...1200).map(Double.init))
    }

    @Test("§8.3 without permission to read routes, no imported routes are returned")
    func denied() async throws {
        var configuration = HealthStoreConfiguration.withoutSummary
        configuration.authorization = .deny
        let closed = HKHealthStore.inMemory(
            identity: AppIdentity("com.example.closed"), configuration: configuration)
        try await closed.requestAuthorization(toShare: [], read: [HKSeriesType.workoutRoute()])
        try write([route(from: 0, points: 3)], into: closed)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute()], sortDescriptors: []
        ).result(for: closed)
        #expect(found.isEmpty)
    }
}

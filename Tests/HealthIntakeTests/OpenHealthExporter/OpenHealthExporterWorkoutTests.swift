import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenHealthExporterWorkoutTests {
    private let day = ExporterText.day

    private func run(_ number: Int = 1, _ more: String = "") -> String {
        ExporterText.record(
            "workout", number, #""activityType":"running","activityTypeRaw":37\#(more)"#)
    }

    /// A chunk of the route of workout 1 with a location in a minute after 8:00.
    private func route(
        _ chunk: Int, minute: Int, parent: Int = 1, latitude: String = "52.5"
    ) -> String {
        #"{"chunkCount":2,"chunkIndex":\#(chunk),"kind":"series.workoutRoute","#
            + #""parentUuid":"\#(ExporterText.uuid(parent))","points":[{"altitudeM":34.5,"#
            + #""courseAccuracyDeg":2.5,"courseDeg":90,"horizontalAccuracyM":4,"#
            + #""lat":\#(latitude),"lon":13.25,"speedAccuracyMps":0.5,"speedMps":3,"#
            + #""t":"2026-03-01T08:0\#(minute):00Z","verticalAccuracyM":6}],"startIndex":0,"#
            + #""uuid":"\#(ExporterText.uuid(100 + chunk))","v":1}"#
    }

    private func point(minute: Double) -> RoutePoint {
        RoutePoint(
            time: day + 28_800 + minute * 60, latitude: 52.5, longitude: 13.25, altitude: 34.5,
            horizontalAccuracy: 4, verticalAccuracy: 6, course: 90, speed: 3, courseAccuracy: 2.5,
            speedAccuracy: 0.5)
    }

    private func workouts(_ intake: CollectedIntake) -> [Workout] {
        var workouts: [Workout] = []
        for sample in intake.samples {
            if case .workout(let workout)? = sample.detail { workouts.append(workout) }
        }
        return workouts
    }

    @Test("a workout has its activity, duration, totals and events")
    func workout() throws {
        let intake = try CollectedIntake(exporter: [
            run(
                1,
                #","durationSeconds":540,"isIndoor":false,"hasRoute":true,"seriesIncluded":false,"#
                    + #""totals":{"active_energy":{"statistic":"sum","unit":"kcal","value":87.5},"#
                    + #""distance":{"statistic":"sum","unit":"km","value":1.75}},"#
                    + #""events":[{"durationSeconds":0,"timestamp":"2026-03-01T08:03:00Z","#
                    + #""type":"pause"},{"durationSeconds":0,"timestamp":"2026-03-01T08:04:00Z","#
                    + #""type":"resume"},{"durationSeconds":120,"#
                    + #""timestamp":"2026-03-01T08:05:00Z","type":"lap"}],"#
                    + #""source":{"bundleId":"com.example.run","name":"Runner"}"#)
        ])
        let sample = try #require(intake.samples.first)
        #expect(intake.samples.count == 1)
        #expect(sample.type == "workout")
        #expect(sample.identity == ExporterText.identity(1))
        #expect(sample.start == day + 28_800)
        #expect(sample.end == day + 29_400)
        #expect(sample.value.isNaN)
        #expect(sample.unit == nil)
        #expect(sample.source.name == "Runner")
        #expect(sample.source.bundleIdentifier == "com.example.run")
        #expect(sample.metadata == ["HKIndoorWorkout": .number(0)])
        let (start, end) = (day + 28_800, day + 29_400)
        #expect(
            workouts(intake) == [
                Workout(
                    activityType: 37, duration: 540,
                    events: [
                        WorkoutEvent(type: 1, start: start + 180),
                        WorkoutEvent(type: 2, start: start + 240),
                        WorkoutEvent(type: 3, start: start + 300, duration: 120),
                    ],
                    statistics: [
                        WorkoutStatistics(
                            type: "HKQuantityTypeIdentifierActiveEnergyBurned", unit: "kcal",
                            start: start, end: end, sum: 87.5),
                        WorkoutStatistics(
                            type: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "km",
                            start: start, end: end, sum: 1.75),
                    ])
            ])
    }

    @Test("the distance has the type that belongs to the activity")
    func distance() throws {
        func workout(_ raw: Int) -> String {
            ExporterText.record(
                "workout", raw,
                #""activityTypeRaw":\#(raw),"totals":{"distance":{"statistic":"sum","unit":"km","#
                    + #""value":2}}"#)
        }
        let intake = try CollectedIntake(exporter: [workout(13), workout(46), workout(57)])
        #expect(
            workouts(intake).map { $0.statistics.map(\.type) } == [
                ["HKQuantityTypeIdentifierDistanceCycling"],
                ["HKQuantityTypeIdentifierDistanceSwimming"],
                ["HKQuantityTypeIdentifierDistanceWalkingRunning"],
            ])
        #expect(workouts(intake).map { $0.statistics.map(\.sum) } == [[2], [2], [2]])
        #expect(workouts(intake).map(\.activityType) == [13, 46, 57])
    }

    @Test("averages and extremes of a workout are statistics too")
    func statistics() throws {
        let intake = try CollectedIntake(exporter: [
            run(
                1,
                #","totals":{"heart_rate":{"statistic":"mean","unit":"bpm","value":141},"#
                    + #""walking_heart_rate_average":{"statistic":"min","unit":"bpm","value":90},"#
                    + #""resting_heart_rate":{"statistic":"max","unit":"bpm","value":60},"#
                    + #""step_count":{"unit":"count","value":900}}"#)
        ])
        let statistics = try #require(workouts(intake).first).statistics
        #expect(statistics.map(\.average) == [141, nil, nil, nil])
        #expect(statistics.map(\.minimum) == [nil, 90, nil, nil])
        #expect(statistics.map(\.maximum) == [nil, nil, 60, nil])
        #expect(statistics.map(\.sum) == [nil, nil, nil, 900])
        #expect(statistics.map(\.unit) == ["count/min", "count/min", "count/min", "count"])
    }

    @Test("totals and events that aren't understood stay with the workout, as they were sent")
    func otherTotals() throws {
        let intake = try CollectedIntake(exporter: [
            run(
                1,
                #","totals":{"glide":{"unit":"m","value":5},"distance":{"unit":"kg","value":1},"#
                    + #""heart_rate":{"unit":"bpm","value":100}},"#
                    + #""events":[{"timestamp":"later","type":"lap"},"#
                    + #"{"timestamp":"2026-03-01T08:01:00Z","type":"raw_8"},"#
                    + #"{"timestamp":"2026-03-01T08:02:00Z","type":"handstand"}]"#)
        ])
        #expect(
            intake.samples.first?.metadata == [
                "openhealthexporter.totals.glide": .string(#"{"unit":"m","value":5}"#),
                "openhealthexporter.totals.distance": .string(#"{"unit":"kg","value":1}"#),
                "openhealthexporter.totals.heart_rate": .string(#"{"unit":"bpm","value":100}"#),
                "openhealthexporter.events": .string(#"[{"timestamp":"later","type":"lap"}]"#),
            ])
        let workout = try #require(workouts(intake).first)
        #expect(workout.statistics.isEmpty)
        #expect(
            workout.events == [
                WorkoutEvent(type: 8, start: day + 28_860),
                WorkoutEvent(type: 0, unknownTypeName: "handstand", start: day + 28_920),
            ])
    }

    @Test("the raw value of the activity counts, and its word only without one")
    func activities() throws {
        func workout(_ number: Int, _ fields: String) -> String {
            ExporterText.record("workout", number, fields)
        }
        let intake = try CollectedIntake(exporter: [
            workout(1, #""activityType":"walking","activityTypeRaw":13"#),
            workout(2, #""activityType":"yoga""#), workout(3, #""activityType":"raw_24""#),
            workout(4, #""activityType":"juggling""#), workout(5, #""activityTypeRaw":9999"#),
            workout(6, #""durationSeconds":-5"#), workout(7, #""activityType":[1]"#),
        ])
        #expect(workouts(intake).map(\.activityType) == [13, 57, 24, 3000, 9999])
        #expect(
            workouts(intake).map(\.unknownActivityName) == [nil, nil, nil, "juggling", nil])
        #expect(workouts(intake).map(\.duration) == [nil, nil, nil, nil, nil])
        #expect(intake.rejections.map(\.reason) == [.type, .type])
        #expect(intake.rejections.map(\.field) == ["activityTypeRaw", "activityType"])
    }

    @Test("a route is part of its workout, before or after it, on any page, in any order of chunks")
    func routes() throws {
        let records = [route(1, minute: 5), ExporterText.steps(9), run(), route(0, minute: 1)]
        let body = ExporterText.batch(records)
        for limit in [1, 2, 10_000] {
            let intake = try CollectedIntake(.openHealthExporter, body, limit: limit)
            let workout = try #require(workouts(intake).first)
            #expect(
                workout.routes == [
                    WorkoutRoute(
                        start: day + 28_860, end: day + 29_100,
                        points: [point(minute: 1), point(minute: 5)])
                ])
            #expect(intake.samples.map(\.type) == ["stepCount", "workout"])
            #expect(intake.samples.map(\.index) == [1, 2])
            #expect(intake.unknown.isEmpty && intake.rejections.isEmpty)
            #expect(intake.recordCount == 4)
        }
        let rest = try CollectedIntake(.openHealthExporter, body, after: 2)
        #expect(workouts(rest).map { $0.routes.map(\.points.count) } == [[2]])
    }

    @Test("a route without its workout in the body is passed on with the workout's UUID")
    func routeAlone() throws {
        let record = route(0, minute: 1, parent: 2)
        let intake = try CollectedIntake(exporter: [record, run()])
        #expect(intake.unknown.isEmpty)
        #expect(intake.routes.map(\.workout) == [ExporterText.sampleUUID(2)])
        #expect(intake.routes.map(\.points.count) == [1])
        #expect(intake.routes.first?.json == record)
        #expect(workouts(intake).map(\.routes) == [[]])
    }

    @Test("a route of a workout that is invalid is passed on by itself")
    func routeOfInvalidWorkout() throws {
        let workout = run().replacing("T08:10:00Z", with: "T07:10:00Z")
        let intake = try CollectedIntake(exporter: [workout, route(0, minute: 1)])
        #expect(intake.rejections.map(\.reason) == [.endBeforeStart])
        #expect(intake.routes.count == 1)
    }

    @Test("chunks and workouts that are sent twice give one route, in the last copy of the workout")
    func twice() throws {
        let intake = try CollectedIntake(exporter: [
            run(), route(0, minute: 1), run(), route(0, minute: 2),
        ])
        #expect(workouts(intake).map { $0.routes.map(\.points) } == [[], [[point(minute: 2)]]])
    }

    @Test("a location without accuracies has unknown ones")
    func bareLocation() throws {
        let record =
            #"{"kind":"series.workoutRoute","parentUuid":"\#(ExporterText.uuid(1))","points":["#
            + #"{"lat":-33.5,"lon":151.25,"t":"2026-03-01T08:01:00.500Z"}]}"#
        let intake = try CollectedIntake(exporter: [run(), record])
        #expect(
            workouts(intake).map { $0.routes.map(\.points) } == [
                [
                    [
                        RoutePoint(
                            time: day + 28_860.5, latitude: -33.5, longitude: 151.25, altitude: 0,
                            horizontalAccuracy: -1, verticalAccuracy: -1, course: -1, speed: -1)
                    ]
                ]
            ])
    }

    @Test("a route with an impossible location is rejected, and its workout has none")
    func invalidRoutes() throws {
        let valid = route(0, minute: 1)
        let intake = try CollectedIntake(exporter: [
            run(), route(0, minute: 1, latitude: "90.5"), route(0, minute: 1, latitude: "null"),
            valid.replacing("13.25", with: "-181"), valid.replacing("2026-03-01T08:01", with: "x"),
            valid.replacing("\"points\":", with: "\"dots\":"),
            valid.replacing(ExporterText.uuid(1), with: "x"),
        ])
        #expect(
            intake.rejections.map(\.reason) == [
                .value, .value, .value, .date, .value, .identifier,
            ])
        #expect(
            intake.rejections.map(\.field) == [
                "points.lat", "points.lat", "points.lon", "points.t", "points", "parentUuid",
            ])
        #expect(workouts(intake).map(\.routes) == [[]])
    }
}

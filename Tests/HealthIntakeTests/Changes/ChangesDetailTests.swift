import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct ChangesDetailTests {
    private let day = ChangesText.day

    @Test("clinical records, documents and signed records are read as they are written")
    func clinical() throws {
        let calendar = CalendarBuckets(timeZone: .gmt)
        let details: [(String, SampleDetail)] = [
            (
                "HKClinicalTypeIdentifierLabResultRecord",
                .clinicalRecord(
                    ClinicalRecord(
                        resourceType: "Observation", identifier: "1", fhirVersion: "4.0.1",
                        displayName: "N", sourceURL: "https://example.com",
                        file: "/clinical-records/a.json", resource: "{\"a\":\"\\u0041\n\"}"))
            ),
            (
                "HKDocumentTypeIdentifierCDA",
                .document(
                    ClinicalDocument(
                        title: "T", patientName: "P", authorName: "A", custodianName: "C",
                        text: "<a/>\r\n"))
            ),
            (
                "HKVerifiableClinicalRecord",
                .verifiableClinicalRecord(
                    VerifiableClinicalRecord(
                        recordTypes: ["x"], issuer: "I", fullName: "F", dateOfBirth: "1951",
                        issued: 6e8, expires: 7e8 + 0.25, itemNames: ["a", "b"],
                        sourceType: "SMARTHealthCard", data: "a.b.c"))
            ),
        ]
        let intake = try CollectedIntake(
            changes: details.enumerated().map { index, entry in
                ChangesText.sample(
                    index + 1, entry.0,
                    "\"detail\":" + JSONText.detail(entry.1, calendar).text)
            })
        #expect(intake.samples.map(\.detail) == details.map(\.1))
        #expect(intake.rejections.isEmpty)
    }

    @Test("a clinical record without its resource and a detail of another type are invalid")
    func invalidClinical() throws {
        let record = #""resourceType":"Observation","identifier":"1""#
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(
                1, "HKClinicalTypeIdentifierLabResultRecord",
                "\"detail\":{\"clinicalRecord\":{\(record)}}"),
            ChangesText.sample(
                2, "HKDocumentTypeIdentifierCDA",
                "\"detail\":{\"clinicalRecord\":{\(record),\"resource\":\"{}\"}}"),
            ChangesText.sample(
                3, "HKDocumentTypeIdentifierCDA", "\"detail\":{\"document\":{\"title\":\"T\"}}"),
        ])
        #expect(intake.samples.isEmpty && intake.rejections.count == 3)
    }

    @Test("a workout has activity, duration, events, activities, statistics, routes and zones")
    func workout() throws {
        let detail = #"""
            "detail":{"workout":{"activity":"running","activityType":37,"duration":540.5,
            "totals":{"distance":{"value":9,"unit":"km"}},
            "events":[{"type":"pause","start":"2026-03-01T08:02:00Z","duration":0},
              {"type":99,"start":"2026-03-01T08:03:00Z","duration":2.5,"metadata":{"lap":1}},
              {"type":"somersault","start":"2026-03-01T08:04:00Z"}],
            "activities":[{"uuid":"0A0B0C0D-0000-4000-8000-0000000000AA","activityType":37,
              "locationType":3,"swimmingLocationType":1,"lapLength":25,"lapLengthUnit":"m",
              "start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:09:00Z","duration":500,
              "metadata":{"leg":2}}],
            "statistics":[{"type":"HKQuantityTypeIdentifierDistanceWalkingRunning","unit":"km",
              "start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:10:00Z","sum":1.75,
              "average":1,"minimum":2,"maximum":3,"mostRecent":4,
              "mostRecentStart":"2026-03-01T08:01:00Z","mostRecentEnd":"2026-03-01T08:02:00Z",
              "duration":590}],
            "routes":[{"start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:01:00Z",
              "points":[{"time":"2026-03-01T08:00:00Z","latitude":48.5,"longitude":2.25}],
              "metadata":{"r":1}}],
            "zones":[{"type":"HKQuantityTypeIdentifierHeartRate","source":"auto",
              "unit":"count/min","zones":[{"maximum":120,"duration":60},
              {"minimum":120,"duration":480}]}]}}
            """#
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(1, "HKWorkoutTypeIdentifier", detail)
        ])
        #expect(intake.samples.map(\.detail) == [.workout(expected)])
        #expect(intake.rejections.isEmpty)
    }

    /// The workout of the detail above.
    private var expected: Workout {
        var activity = WorkoutActivity(
            uuid: "0A0B0C0D-0000-4000-8000-0000000000AA",
            configuration: WorkoutActivityConfiguration(
                activityType: 37, locationType: 3, swimmingLocationType: 1, lapLength: 25,
                lapLengthUnit: "m"),
            start: day + 28_800, end: day + 29_340, duration: 500)
        activity.metadata = ["leg": .number(2)]
        var statistics = WorkoutStatistics(
            type: "HKQuantityTypeIdentifierDistanceWalkingRunning", unit: "km",
            start: day + 28_800, end: day + 29_400, sum: 1.75, average: 1, minimum: 2, maximum: 3)
        statistics.mostRecent = 4
        statistics.mostRecentStart = day + 28_860
        statistics.mostRecentEnd = day + 28_920
        statistics.duration = 590
        let point = RoutePoint(
            time: day + 28_800, latitude: 48.5, longitude: 2.25, altitude: 0,
            horizontalAccuracy: -1, verticalAccuracy: -1, course: -1, speed: -1)
        return Workout(
            activityType: 37, duration: 540.5,
            events: [
                WorkoutEvent(type: 1, start: day + 28_920),
                WorkoutEvent(
                    type: 99, start: day + 28_980, duration: 2.5, metadata: ["lap": .number(1)]),
                WorkoutEvent(type: 0, unknownTypeName: "somersault", start: day + 29_040),
            ], activities: [activity], statistics: [statistics],
            routes: [
                WorkoutRoute(
                    start: day + 28_800, end: day + 28_860, points: [point],
                    metadata: ["r": .number(1)])
            ],
            zones: [
                WorkoutZoneGroup(
                    type: "HKQuantityTypeIdentifierHeartRate", source: "auto", unit: "count/min",
                    zones: [
                        WorkoutZone(maximum: 120, duration: 60),
                        WorkoutZone(minimum: 120, duration: 480),
                    ])
            ])
    }

    @Test("an activity without a number is found by its name, and an unknown name is kept")
    func activityNames() throws {
        let intake = try CollectedIntake(
            changes: ["running", "quidditch"].enumerated().map { number, name in
                ChangesText.sample(
                    number, "HKWorkoutTypeIdentifier",
                    #""detail":{"workout":{"activity":"\#(name)"}}"#)
            })
        #expect(
            intake.samples.map(\.detail) == [
                .workout(Workout(activityType: 37)),
                .workout(Workout(activityType: 3000, unknownActivityName: "quidditch")),
            ])
    }

    @Test("a route has its points in order of time, with every accuracy")
    func route() throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(
                1, "HKWorkoutRouteTypeIdentifier",
                #"""
                "detail":{"route":[
                {"time":"2026-03-01T08:00:01.5Z","latitude":-48.5,"longitude":-179.5,
                "altitude":35.5,"horizontalAccuracy":1,"verticalAccuracy":2,"course":3,"speed":4,
                "courseAccuracy":5,"speedAccuracy":6},
                {"time":"2026-03-01T08:00:00Z","latitude":48,"longitude":2}]}
                """#)
        ])
        #expect(
            intake.samples.first?.detail
                == .route([
                    RoutePoint(
                        time: day + 28_800, latitude: 48, longitude: 2, altitude: 0,
                        horizontalAccuracy: -1, verticalAccuracy: -1, course: -1, speed: -1),
                    RoutePoint(
                        time: day + 28_801.5, latitude: -48.5, longitude: -179.5, altitude: 35.5,
                        horizontalAccuracy: 1, verticalAccuracy: 2, course: 3, speed: 4,
                        courseAccuracy: 5, speedAccuracy: 6),
                ]))
    }

    @Test("heartbeats have a rate, a time or an offset")
    func heartbeats() throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(
                1, "HKDataTypeIdentifierHeartbeatSeries",
                #""detail":{"heartbeats":[{"bpm":61,"time":"6:14:48.94 PM","#
                    + #""offset":0.98,"gap":true}]}"#),
            ChangesText.sample(
                2, "HKDataTypeIdentifierHeartbeatSeries",
                #""detail":{"heartbeats":[{"time":"6:14"}]}"#),
        ])
        var beat = Heartbeat(bpm: 61, time: "6:14:48.94 PM", offset: 0.98)
        beat.precededByGap = true
        #expect(intake.samples.map(\.detail) == [.heartbeats([beat])])
        #expect(intake.rejections.map(\.field) == ["detail.heartbeats"])
    }

    @Test("numbers of other types are kept by name")
    func numbers() throws {
        let intake = try CollectedIntake(changes: [
            ChangesText.sample(
                1, "HKDataTypeStateOfMind",
                #""detail":{"numbers":{"kind":[1],"valence":[-0.25],"labels":[3,17]}}"#),
            ChangesText.sample(
                2, "HKDataTypeIdentifierElectrocardiogram",
                #""detail":{"numbers":{"samplingFrequency":[512],"voltages":[0.00012,-1e-05]}}"#),
        ])
        #expect(
            intake.samples.map(\.detail) == [
                .numbers(["kind": [1], "valence": [-0.25], "labels": [3, 17]]),
                .numbers(["samplingFrequency": [512], "voltages": [0.00012, -0.00001]]),
            ])
    }

    @Test("an activity summary has its day and its rings")
    func activitySummary() throws {
        let intake = try CollectedIntake(changes: [
            #"""
            {"kind":"sample","uuid":"\#(ChangesText.uuid(1))",
            "type":"HKActivitySummaryTypeIdentifier","detail":{"activitySummary":{
            "date":"2026-03-01","activeEnergyBurned":412.5,"activeEnergyBurnedGoal":500,
            "activeEnergyBurnedUnit":"kcal","appleMoveTime":1,"appleMoveTimeGoal":2,
            "appleExerciseTime":31,"appleExerciseTimeGoal":30,"appleStandHours":11,
            "appleStandHoursGoal":12}}}
            """#
        ])
        var summary = ActivitySummary(date: "2026-03-01")
        summary.activeEnergyBurned = 412.5
        summary.activeEnergyBurnedGoal = 500
        summary.activeEnergyBurnedUnit = "kcal"
        summary.appleMoveTime = 1
        summary.appleMoveTimeGoal = 2
        summary.appleExerciseTime = 31
        summary.appleExerciseTimeGoal = 30
        summary.appleStandHours = 11
        summary.appleStandHoursGoal = 12
        #expect(intake.samples.map(\.detail) == [.activitySummary(summary)])
        #expect(intake.samples.map(\.start) == [day])
        #expect(intake.samples.map(\.end) == [day])
    }

    @Test(
        "a detail that its type can’t have, or that is missing, is rejected",
        arguments: [
            ("HKWorkoutTypeIdentifier", "", "detail"),
            ("HKWorkoutTypeIdentifier", #""detail":{"series":[]}"#, "detail"),
            ("HKWorkoutTypeIdentifier", #""detail":{"workout":[]}"#, "detail.workout"),
            ("HKWorkoutTypeIdentifier", #""detail":{}"#, "detail"),
            ("HKWorkoutTypeIdentifier", #""detail":7"#, "detail"),
            (
                "HKWorkoutTypeIdentifier", #""detail":{"workout":{"activityType":1,"events":7}}"#,
                "detail.workout.events"
            ),
            ("HKDataTypeStateOfMind", #""detail":{"numbers":{"kind":["x"]}}"#, "detail.numbers"),
            (
                "HKDataTypeStateOfMind", #""detail":{"numbers":{"kind":[77],"valence":[0]}}"#,
                "detail.numbers.kind"
            ),
            (
                "HKDataTypeStateOfMind", #""detail":{"numbers":{"kind":[1],"valence":[55]}}"#,
                "detail.numbers.valence"
            ),
            (
                "HKScoredAssessmentTypeIdentifierGAD7",
                #""detail":{"numbers":{"answers":[0,1,2,3,3,3,4]}}"#, "detail.numbers.answers"
            ),
            (
                "HKScoredAssessmentTypeIdentifierPHQ9",
                #""detail":{"numbers":{"answers":[0,0,0,0,0,0,0,0]}}"#, "detail.numbers.answers"
            ),
            (
                "HKDataTypeIdentifierElectrocardiogram",
                #""detail":{"numbers":{"samplingFrequency":[-3],"voltages":[1]}}"#,
                "detail.numbers.samplingFrequency"
            ),
            (
                "HKDataTypeIdentifierElectrocardiogram",
                #""detail":{"numbers":{"voltages":[1,2,3],"times":[0]}}"#, "detail.numbers.times"
            ),
            (
                "HKWorkoutRouteTypeIdentifier", #""detail":{"route":[{"latitude":91}]}"#,
                "detail.route.latitude"
            ),
            (
                "HKActivitySummaryTypeIdentifier",
                #""detail":{"activitySummary":{"date":"2026-02-30"}}"#,
                "detail.activitySummary.date"
            ),
        ])
    func invalid(type: String, fields: String, field: String) throws {
        let intake = try CollectedIntake(changes: [ChangesText.sample(1, type, fields)])
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.map(\.field) == [field])
        #expect(intake.rejections.map(\.identifier) == [ChangesText.uuid(1)])
    }
}

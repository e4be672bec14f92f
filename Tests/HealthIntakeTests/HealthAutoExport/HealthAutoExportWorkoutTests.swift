import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthIntake

@Suite struct HealthAutoExportWorkoutTests {
    private static let times =
        #""start":"2026-03-01 09:00:00 +0100","end":"2026-03-01 09:30:00 +0100""#
    private static let start = AppExport.utc(2026, 3, 1, 8)
    private static let end = AppExport.utc(2026, 3, 1, 8, 30)

    private func statistics(
        _ type: String, _ unit: String, sum: Double? = nil, average: Double? = nil,
        minimum: Double? = nil, maximum: Double? = nil
    ) -> WorkoutStatistics {
        WorkoutStatistics(
            type: "HKQuantityTypeIdentifier" + type, unit: unit, start: Self.start, end: Self.end,
            sum: sum, average: average, minimum: minimum, maximum: maximum)
    }

    /// The only workout with fields besides its name and times, and its metadata.
    private func workout(
        _ fields: String, name: String = "Running"
    ) throws -> (workout: Workout, metadata: Metadata) {
        let read = try AppExport.list(
            "workouts", #"{"id":"W1","name":"\#(name)",\#(Self.times),\#(fields)}"#)
        var metadata = try #require(read.samples.first).metadata
        metadata["healthautoexport.id"] = nil
        return (try #require(read.workouts.first), metadata)
    }

    private static let version2 = #"""
        {"id":"6E1C8A52-1111-4222-8333-0000000000A1","name":"Outdoor Run",\#(times),
         "duration":1790.5,"location":"Outdoor","isIndoor":false,
         "activeEnergyBurned":{"qty":301.5,"units":"kcal"},
         "totalEnergy":{"qty":340,"units":"kcal"},"intensity":{"qty":9.5,"units":"kcal/hr·kg"},
         "distance":{"qty":5.2,"units":"km"},"temperature":{"qty":8.5,"units":"degC"},
         "humidity":{"qty":71,"units":"%"},"speed":{"qty":10.4,"units":"km/hr"},
         "avgSpeed":{"qty":10.5,"units":"km/hr"},"maxSpeed":{"qty":14.25,"units":"km/hr"},
         "elevationUp":{"qty":42,"units":"m"},"elevationDown":{"qty":41.5,"units":"m"},
         "stepCadence":{"qty":168,"units":"count/min"},"flightsClimbed":{"qty":3,"units":"count"},
         "avgHeartRate":{"qty":151,"units":"bpm"},"maxHeartRate":{"qty":174,"units":"bpm"},
         "heartRate":{"min":{"qty":98,"units":"bpm"},"avg":{"qty":151,"units":"bpm"},
           "max":{"qty":174,"units":"bpm"}},
         "activeEnergy":[
           {"date":"2026-03-01 09:00:00 +0100","qty":10.5,"units":"kcal","source":"Watch"},
           {"date":"2026-03-01 09:01:00 +0100","qty":11.25,"units":"kcal","source":"Watch"}],
         "stepCount":[
           {"date":"2026-03-01 09:00:00 +0100","qty":160,"units":"count","source":"Watch"}],
         "heartRateData":[
           {"date":"2026-03-01 09:00:00 +0100","Min":98,"Avg":101.5,"Max":110,"units":"bpm"},
           {"date":"2026-03-01 09:01:00 +0100","Min":111,"Avg":118,"Max":125,"units":"bpm"}],
         "heartRateRecovery":[],
         "route":[
           {"latitude":52.51,"longitude":13.36,"altitude":34.5,"course":91.5,"courseAccuracy":4,
            "horizontalAccuracy":3.5,"verticalAccuracy":2.5,"speed":2.9,"speedAccuracy":0.3,
            "timestamp":"2026-03-01 09:00:10 +0100"},
           {"latitude":52.52,"longitude":13.37,"timestamp":"2026-03-01 09:00:05 +0100"}],
         "metadata":{"HKTimeZone":"Europe/Berlin","Coach":"no"}}
        """#

    @Test("a workout of version 2 is read with its totals")
    func version2() throws {
        let read = try AppExport.list("workouts", Self.version2)
        let sample = try #require(read.samples.first)
        let workout = try #require(read.workouts.first)
        #expect(read.counts == [1, 0, 0, 0])
        #expect(sample.type == "workout" && sample.identity == .workout)
        #expect(sample.start == Self.start && sample.end == Self.end)
        #expect(sample.value.isNaN && sample.unit == nil && sample.source.name == "")
        #expect(workout.activityType == 37 && workout.unknownActivityName == nil)
        #expect(workout.duration == 1790.5)
        #expect(
            workout.statistics == [
                statistics("ActiveEnergyBurned", "kcal", sum: 301.5),
                statistics("FlightsClimbed", "count", sum: 3),
                statistics("DistanceWalkingRunning", "km", sum: 5.2),
                statistics("HeartRate", "count/min", average: 151, minimum: 98, maximum: 174),
            ])
        #expect(workout.events.isEmpty && workout.activities.isEmpty && workout.zones.isEmpty)
    }

    @Test("the series and other fields of a workout become its metadata, and never samples")
    func metadata() throws {
        let sample = try #require(try AppExport.list("workouts", Self.version2).samples.first)
        #expect(
            sample.metadata == [
                "HKTimeZone": .string("Europe/Berlin"), "Coach": .string("no"),
                "HKIndoorWorkout": .number(0),
                "HKWeatherTemperature": .quantity(8.5, unit: "degC"),
                "HKWeatherHumidity": .quantity(0.71, unit: "%"),
                "HKAverageSpeed": .quantity(10.5, unit: "km/hr"),
                "HKMaximumSpeed": .quantity(14.25, unit: "km/hr"),
                "HKElevationAscended": .quantity(42, unit: "m"),
                "HKElevationDescended": .quantity(41.5, unit: "m"),
                "healthautoexport.id": .string("6E1C8A52-1111-4222-8333-0000000000A1"),
                "healthautoexport.location": .string("Outdoor"),
                "healthautoexport.totalEnergy": .quantity(340, unit: "kcal"),
                "healthautoexport.intensity": .quantity(9.5, unit: "kcal/(kg*hr)"),
                "healthautoexport.speed": .quantity(10.4, unit: "km/hr"),
                "healthautoexport.stepCadence": .quantity(168, unit: "count/min"),
                "healthautoexport.activeEnergy": .string(
                    #"""
                    {"count":2,"date":["2026-03-01 09:00:00 +0100","2026-03-01 09:01:00 +0100"],\#
                    "qty":[10.5,11.25],"units":"kcal","source":"Watch"}
                    """#),
                "healthautoexport.stepCount": .string(
                    #"""
                    [{"date":"2026-03-01 09:00:00 +0100","qty":160,"units":"count",\#
                    "source":"Watch"}]
                    """#),
                "healthautoexport.heartRateData": .string(
                    #"""
                    {"count":2,"date":["2026-03-01 09:00:00 +0100","2026-03-01 09:01:00 +0100"],\#
                    "Min":[98,111],"Avg":[101.5,118],"Max":[110,125],"units":"bpm"}
                    """#),
            ])
    }

    @Test("a route is read in order of time, with -1 for accuracies that are missing")
    func route() throws {
        let workout = try #require(try AppExport.list("workouts", Self.version2).workouts.first)
        let second = RoutePoint(
            time: Self.start + 10, latitude: 52.51, longitude: 13.36, altitude: 34.5,
            horizontalAccuracy: 3.5, verticalAccuracy: 2.5, course: 91.5, speed: 2.9,
            courseAccuracy: 4, speedAccuracy: 0.3)
        let first = RoutePoint(
            time: Self.start + 5, latitude: 52.52, longitude: 13.37, altitude: 0,
            horizontalAccuracy: -1, verticalAccuracy: -1, course: -1, speed: -1)
        #expect(
            workout.routes == [
                WorkoutRoute(
                    start: Self.start + 5, end: Self.start + 10, points: [first, second])
            ])
    }

    @Test("locations without a valid time or place are left out and counted")
    func invalidLocations() throws {
        let time = #""timestamp":"2026-03-01 09:00:10 +0100""#
        let read = try workout(
            #"""
            "route":[{"lat":91,"lon":0,\#(time)},{"lat":0,"lon":-181,\#(time)},{"lat":1,"lon":2},
              {"lon":3,\#(time)},{"lat":"north","lon":4,\#(time)},5,null,
              {"lat":-90,"lon":180,\#(time)}]
            """#)
        #expect(read.workout.routes.map(\.points.count) == [1])
        #expect(read.workout.routes.first?.points.first?.latitude == -90)
        #expect(read.workout.routes.first?.points.first?.longitude == 180)
        #expect(read.metadata == ["healthautoexport.routePointsLeftOut": .number(7)])
        for none in [#""route":[]"#, #""route":null"#] {
            #expect(try workout(none).workout.routes.isEmpty)
            #expect(try workout(none).metadata.isEmpty)
        }
        #expect(
            try workout(#""route":"x""#).metadata == [
                "healthautoexport.route": .string("x")
            ])
    }

    @Test("a workout of version 1 is read, and its zeros are missing values")
    func version1() throws {
        let read = try AppExport.list(
            "workouts",
            #"""
            {"name":"Walking",\#(Self.times),
             "totalEnergy":{"qty":120,"units":"kcal"},"activeEnergy":{"qty":95.5,"units":"kcal"},
             "maxHeartRate":{"qty":131,"units":"bpm"},"avgHeartRate":{"qty":112,"units":"bpm"},
             "stepCount":{"qty":4100,"units":"steps"},"stepCadence":{"qty":110,"units":"spm"},
             "totalSwimmingStrokeCount":{"qty":0,"units":"count"},
             "swimCadence":{"qty":0,"units":"spm"},"distance":{"qty":3.1,"units":"km"},
             "speed":{"qty":5,"units":"km/hr"},"flightsClimbed":{"qty":0,"units":"count"},
             "intesity":{"qty":4.2,"units":"MET"},"temperature":{"qty":0,"units":"degC"},
             "humidity":{"qty":0,"units":"%"},"elevation":{"ascent":12,"descent":0,"units":"m"},
             "heartRateData":[{"date":"2026-03-01 09:10:00 +0100","qty":108,"units":"bpm"}],
             "heartRateRecovery":[{"date":"2026-03-01 09:31:00 +0100","qty":99,"units":"bpm"}],
             "route":[{"lat":52.5,"lon":13.25,"altitude":34,
               "timestamp":"2026-03-01 09:00:01 +0100"}]}
            """#)
        let workout = try #require(read.workouts.first)
        #expect(read.samples.map(\.identity) == [.workout])
        #expect(workout.activityType == 52 && workout.duration == nil)
        #expect(
            workout.statistics == [
                statistics("ActiveEnergyBurned", "kcal", sum: 95.5),
                statistics("StepCount", "count", sum: 4100),
                statistics("DistanceWalkingRunning", "km", sum: 3.1),
                statistics("HeartRate", "count/min", average: 112, maximum: 131),
            ])
        #expect(
            workout.routes.map(\.points) == [
                [
                    RoutePoint(
                        time: Self.start + 1, latitude: 52.5, longitude: 13.25, altitude: 34,
                        horizontalAccuracy: -1, verticalAccuracy: -1, course: -1, speed: -1)
                ]
            ])
        #expect(
            read.samples.first?.metadata == [
                "HKElevationAscended": .quantity(12, unit: "m"),
                "healthautoexport.totalEnergy": .quantity(120, unit: "kcal"),
                "healthautoexport.stepCadence": .quantity(110, unit: "count/min"),
                "healthautoexport.speed": .quantity(5, unit: "km/hr"),
                "healthautoexport.intesity": .quantity(4.2, unit: "kcal/(kg*hr)"),
                "healthautoexport.heartRateData": .string(
                    #"[{"date":"2026-03-01 09:10:00 +0100","qty":108,"units":"bpm"}]"#),
                "healthautoexport.heartRateRecovery": .string(
                    #"[{"date":"2026-03-01 09:31:00 +0100","qty":99,"units":"bpm"}]"#),
            ])
    }

    @Test("heart rates that begin at the end of the workout are its recovery, and no statistics")
    func recovery() throws {
        let read = try workout(
            #"""
            "heartRateData":[{"date":"2026-03-01 09:30:00 +0100","Min":88,"Avg":88,"Max":88}],
            "avgHeartRate":{"qty":88,"units":"bpm"}
            """#)
        #expect(read.workout.statistics.isEmpty)
        #expect(
            read.metadata == [
                "healthautoexport.heartRateRecovery": .string(
                    #"[{"date":"2026-03-01 09:30:00 +0100","Min":88,"Avg":88,"Max":88}]"#),
                "healthautoexport.avgHeartRate": .quantity(88, unit: "count/min"),
            ])
        let second = try workout(
            #"""
            "heartRateData":[{"date":"2026-03-01 09:29:59 +0100"}],
            "avgHeartRate":{"qty":140,"units":"bpm"}
            """#)
        #expect(
            second.workout.statistics == [statistics("HeartRate", "count/min", average: 140)])
    }

    @Test("kilometers that are written as meters are kept apart from HealthKit's values")
    func wrongUnits() throws {
        let read = try workout(
            #"""
            "lapLength":{"qty":0.025,"units":"m"},"avgSpeed":{"qty":1.42,"units":"m/hr"},
            "maxSpeed":{"qty":1424.9,"units":"m/hr"},"humidity":{"qty":101,"units":"%"}
            """#)
        #expect(
            read.metadata == [
                "healthautoexport.lapLength": .quantity(0.025, unit: "m"),
                "healthautoexport.avgSpeed": .quantity(1.42, unit: "m/hr"),
                "healthautoexport.maxSpeed": .quantity(1424.9, unit: "m/hr"),
                "healthautoexport.humidity": .quantity(1.01, unit: "%"),
            ])
    }

    @Test("a swim has its place, lap, strokes, style and score")
    func swimming() throws {
        let read = try workout(
            #"""
            "location":"Pool","lapLength":{"qty":25,"units":"m"},"strokeStyle":"Freestyle",
            "swolfScore":38,"salinity":"Fresh Water","distance":{"qty":1000,"units":"yd"},
            "totalSwimmingStrokeCount":{"qty":640,"units":"count"},
            "swimDistance":[{"date":"2026-03-01 09:00:00 +0100","qty":45,"units":"yd"}]
            """#, name: "Pool Swim")
        #expect(read.workout.activityType == 46)
        #expect(
            read.workout.statistics == [
                statistics("SwimmingStrokeCount", "count", sum: 640),
                statistics("DistanceSwimming", "yd", sum: 1000),
            ])
        #expect(
            read.metadata == [
                "HKSwimmingLocationType": .number(1), "HKLapLength": .quantity(25, unit: "m"),
                "HKSwimmingStrokeStyle": .number(2), "HKSWOLFScore": .number(38),
                "HKMetadataKeyWaterSalinity": .number(1),
                "healthautoexport.swimDistance": .string(
                    #"[{"date":"2026-03-01 09:00:00 +0100","qty":45,"units":"yd"}]"#),
            ])
        let sea = try workout(
            #""location":"Open Water","strokeStyle":4,"salinity":2,"swolfScore":"good""#)
        #expect(
            sea.metadata == [
                "HKSwimmingLocationType": .number(2), "HKSwimmingStrokeStyle": .number(4),
                "HKMetadataKeyWaterSalinity": .number(2),
                "healthautoexport.swolfScore": .string("good"),
            ])
    }

    @Test("the place is read from a flag or an English word, and other words are kept")
    func places() throws {
        let cases: [(String, Metadata)] = [
            (#""isIndoor":true"#, ["HKIndoorWorkout": .number(1)]),
            (#""location":"Indoor""#, ["HKIndoorWorkout": .number(1)]),
            (#""location":"outdoor""#, ["HKIndoorWorkout": .number(0)]),
            (#""location":"Draußen""#, ["healthautoexport.location": .string("Draußen")]),
            (#""location":7"#, ["healthautoexport.location": .number(7)]),
            (#""isIndoor":"maybe""#, ["healthautoexport.isIndoor": .string("maybe")]),
        ]
        for (fields, metadata) in cases {
            #expect(try workout(fields).metadata == metadata)
        }
    }

    @Test("English names give the activity, and other names are kept")
    func activities() throws {
        for (name, activity) in [
            ("Running", 37), ("Indoor Walk", 52), ("Outdoor Cycle", 13), ("Cycling", 13),
            ("Traditional Strength Training", 50), ("High Intensity Interval Training", 63),
            ("Functional Strength Training", 20), ("HIIT", 63), ("Open Water Swim", 46),
            ("Tai Chi", 72), ("Mind & Body", 29), ("Stair Stepper", 44), ("Rowing", 35),
            ("Indoor Soccer", 41), ("Other", 3000),
        ] {
            let read = try workout(#""isIndoor":null"#, name: name).workout
            #expect(read.activityType == activity)
            #expect(read.unknownActivityName == nil)
        }
        for name in ["Laufen draußen", "Outdoor", "Quidditch", "跑步"] {
            let read = try workout(#""isIndoor":null"#, name: name).workout
            #expect(read.activityType == 3000)
            #expect(read.unknownActivityName == name)
        }
    }

    @Test("fields of other types than documented are kept as they are")
    func wrongTypes() throws {
        let read = try workout(
            #"""
            "duration":"long","distance":5,"activeEnergyBurned":{"qty":"many","units":"kcal"},
            "flightsClimbed":{"qty":4,"units":"floors"},"heartRate":{"min":{"qty":90}},
            "avgHeartRate":{"qty":120,"units":"ms"},"heartRateData":{"qty":6},"extra":[1,"a"],
            "temperature":{"qty":1e400,"units":"degC"},"empty":[],"text":""
            """#)
        #expect(read.workout.duration == nil && read.workout.statistics.isEmpty)
        #expect(
            read.metadata == [
                "healthautoexport.duration": .string("long"),
                "healthautoexport.distance": .number(5),
                "healthautoexport.activeEnergyBurned": .string(#"{"qty":"many","units":"kcal"}"#),
                "healthautoexport.flightsClimbed": .string(#"{"qty":4,"units":"floors"}"#),
                "healthautoexport.heartRate": .string(#"{"min":{"qty":90}}"#),
                "healthautoexport.avgHeartRate": .quantity(120, unit: "ms"),
                "healthautoexport.heartRateData": .string(#"{"qty":6}"#),
                "healthautoexport.extra": .string(#"[1,"a"]"#),
                "healthautoexport.temperature": .string(#"{"qty":1e999,"units":"degC"}"#),
            ])
    }

    @Test("a workout without valid times is rejected with its route")
    func times() throws {
        let start = #""start":"2026-03-01 09:00:00 +0100""#
        let read = try AppExport.list(
            "workouts",
            #"""
            {"name":"Running",\#(start)},{"id":"W2",\#(start),"end":"x"},
            {"id":"W3",\#(start),"end":"2026-03-01 08:59:59 +0100","route":[{"lat":52.5}]},
            {"end":"2026-03-01 09:00:00 +0100"},{\#(start),"end":"2026-03-01 09:00:00 +0100"}
            """#)
        #expect(read.rejections.map(\.reason) == [.date, .date, .endBeforeStart, .date])
        #expect(read.rejections.map(\.field) == ["end", "end", "end", "start"])
        #expect(read.rejections.map(\.identifier) == [nil, "W2", "W3", nil])
        #expect(read.rejections[2].json.contains(#""route":[{"lat":52.5}]"#))
        #expect(read.samples.map(\.start) == [Self.start])
        #expect(read.samples.map(\.end) == [Self.start])
        #expect(read.workouts.map(\.activityType) == [3000])
        #expect(read.workouts.map(\.unknownActivityName) == [nil])
    }

    @Test("the order of members is irrelevant, and of equal names the last one counts")
    func order() throws {
        let read = try AppExport.list(
            "workouts",
            #"""
            {"route":[{"lat":1,"lon":2,"timestamp":"2026-03-01 09:00:07 +0100"}],
             "route":[{"timestamp":"2026-03-01 09:00:08 +0100","lon":4,"lat":3}],
             "distance":{"units":"km","qty":1},"distance":{"units":"km","qty":2},
             "end":"2026-03-01 09:30:00 +0100","name":"Yoga","name":"Rowing",
             "start":"2026-03-01 09:00:00 +0100","id":"W1"}
            """#)
        let workout = try #require(read.workouts.first)
        #expect(workout.activityType == 35)
        #expect(
            workout.statistics == [statistics("DistanceWalkingRunning", "km", sum: 2)])
        #expect(workout.routes.flatMap(\.points).map(\.latitude) == [3])
        #expect(workout.routes.flatMap(\.points).map(\.longitude) == [4])
        #expect(workout.routes.map(\.start) == [Self.start + 8])
    }

    @Test(
        "a route may be longer than a record, and series beyond the limit are counted", .inTestAll)
    func long() throws {
        let point = #"{"lat":52.5,"lon":13.25,"timestamp":"2026-03-01 09:00:01 +0100"}"#
        let count = JSONReader.maximumValueBytes / point.utf8.count + 1_000
        let route = Array(repeating: point, count: count).joined(separator: ",")
        let series = (0..<30_000).map {
            #"{"date":"2026-03-01 09:00:00.\#(100_000 + $0) +0100","qty":\#($0),"units":"kcal"}"#
        }.joined(separator: ",")
        let read = try workout(#""route":[\#(route)],"activeEnergy":[\#(series)]"#)
        #expect(read.workout.routes.map(\.points.count) == [count])
        #expect(read.metadata == ["healthautoexport.activeEnergy.leftOut": .number(30_000)])
    }
}

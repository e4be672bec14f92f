import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenWearablesWorkoutTests {
    /// The only workout with the given values, and its metadata.
    private func workout(
        _ values: String, type: String = #""running""#
    ) throws -> (workout: Workout, metadata: Metadata) {
        let read = try SDKRequest.read(
            workouts: #"""
                {"id":"\#(SDKRequest.id)","parentId":null,"type":\#(type),\#(SDKRequest.times),
                 "zoneOffset":null,"source":{"appId":"com.apple.health","name":"Watch"},
                 "title":null,"notes":null,"values":\#(values),"segments":null,"laps":null,
                 "route":null,"samples":null,"metadata":null}
                """#)
        let sample = try #require(read.samples.first)
        #expect(read.counts == [1, 0, 0, 0])
        #expect(sample.type == "workout" && sample.identity == .healthKit(SDKRequest.uuid))
        #expect(sample.start == SDKRequest.start && sample.end == SDKRequest.end)
        #expect(sample.source.name == "Watch" && sample.value.isNaN)
        return (try #require(read.workouts.first), sample.metadata)
    }

    private func statistics(
        _ type: String, _ unit: String, sum: Double? = nil, average: Double? = nil,
        minimum: Double? = nil, maximum: Double? = nil
    ) -> WorkoutStatistics {
        WorkoutStatistics(
            type: "HKQuantityTypeIdentifier" + type, unit: unit, start: SDKRequest.start,
            end: SDKRequest.end, sum: sum, average: average, minimum: minimum, maximum: maximum)
    }

    @Test("every value of a workout is kept with it")
    func values() throws {
        let read = try workout(
            #"""
            [{"type":"duration","value":85.5,"unit":"s"},
             {"type":"activeEnergyBurned","value":301.5,"unit":"kcal"},
             {"type":"basalEnergyBurned","value":41,"unit":"kcal"},
             {"type":"distance","value":5200,"unit":"m"},
             {"type":"stepCount","value":4100,"unit":"count"},
             {"type":"swimmingStrokeCount","value":640,"unit":"count"},
             {"type":"minHeartRate","value":98,"unit":"bpm"},
             {"type":"averageHeartRate","value":151.25,"unit":"bpm"},
             {"type":"maxHeartRate","value":174,"unit":"bpm"},
             {"type":"averageRunningPower","value":240,"unit":"W"},
             {"type":"averageRunningSpeed","value":2.9,"unit":"m/s"},
             {"type":"averageRunningStrideLength","value":1.1,"unit":"m"},
             {"type":"averageVerticalOscillation","value":9.5,"unit":"cm"},
             {"type":"averageGroundContactTime","value":251,"unit":"ms"},
             {"type":"elevationAscended","value":42,"unit":"m"},
             {"type":"elevationDescended","value":41.5,"unit":"m"},
             {"type":"lapLength","value":25,"unit":"m"},
             {"type":"averageSpeed","value":2.8,"unit":"m/s"},
             {"type":"maxSpeed","value":4.2,"unit":"m/s"},
             {"type":"averageMETs","value":9.25,"unit":"kcal/kg/hr"},
             {"type":"swimmingLocationType","value":1,"unit":"enum"},
             {"type":"indoorWorkout","value":0,"unit":"bool"},
             {"type":"weatherTemperature","value":8.5,"unit":"degC"},
             {"type":"weatherHumidity","value":0.71,"unit":"%"}]
            """#)
        #expect(read.workout.activityType == 37 && read.workout.unknownActivityName == nil)
        #expect(read.workout.duration == 85.5)
        #expect(
            read.workout.statistics == [
                statistics("ActiveEnergyBurned", "kcal", sum: 301.5),
                statistics("BasalEnergyBurned", "kcal", sum: 41),
                statistics("DistanceWalkingRunning", "m", sum: 5200),
                statistics("StepCount", "count", sum: 4100),
                statistics("SwimmingStrokeCount", "count", sum: 640),
                statistics("HeartRate", "count/min", average: 151.25, minimum: 98, maximum: 174),
                statistics("RunningPower", "W", average: 240),
                statistics("RunningSpeed", "m/s", average: 2.9),
                statistics("RunningStrideLength", "m", average: 1.1),
                statistics("RunningVerticalOscillation", "cm", average: 9.5),
                statistics("RunningGroundContactTime", "ms", average: 251),
            ])
        #expect(
            read.metadata == [
                "HKElevationAscended": .quantity(42, unit: "m"),
                "HKElevationDescended": .quantity(41.5, unit: "m"),
                "HKLapLength": .quantity(25, unit: "m"),
                "HKAverageSpeed": .quantity(2.8, unit: "m/s"),
                "HKMaximumSpeed": .quantity(4.2, unit: "m/s"),
                "HKAverageMETs": .quantity(9.25, unit: "kcal/(kg*hr)"),
                "HKSwimmingLocationType": .number(1), "HKIndoorWorkout": .number(0),
                "HKWeatherTemperature": .quantity(8.5, unit: "degC"),
                "HKWeatherHumidity": .quantity(0.71, unit: "%"),
            ])
    }

    @Test("the distance's type follows from the activity, but never is that of a wheelchair")
    func distances() throws {
        for (activity, type) in [
            ("walking", "DistanceWalkingRunning"), ("cycling", "DistanceCycling"),
            ("hand_cycling", "DistanceCycling"), ("swimming", "DistanceSwimming"),
            ("downhill_skiing", "DistanceDownhillSnowSports"),
            ("snowboarding", "DistanceDownhillSnowSports"),
            ("snow_sports", "DistanceDownhillSnowSports"),
            ("wheelchair_run", "DistanceWalkingRunning"), ("rowing", "DistanceWalkingRunning"),
        ] {
            let read = try workout(
                #"[{"type":"distance","value":1500,"unit":"m"}]"#, type: #""\#(activity)""#)
            #expect(read.workout.statistics == [statistics(type, "m", sum: 1500)])
        }
    }

    @Test("humidity in percent is a fraction")
    func humidity() throws {
        for (sent, value) in [("1.5", 1.5), ("71", 0.71), ("94", 0.94), ("0", 0)] {
            let read = try workout(#"[{"type":"weatherHumidity","value":\#(sent),"unit":"%"}]"#)
            #expect(read.metadata == ["HKWeatherHumidity": .quantity(value, unit: "%")])
        }
    }

    @Test("values in other units than documented keep theirs, or become metadata")
    func otherUnits() throws {
        let read = try workout(
            #"""
            [{"type":"duration","value":85500,"unit":"ms"},
             {"type":"distance","value":5.2,"unit":"km"},
             {"type":"activeEnergyBurned","value":1260,"unit":"kJ"},
             {"type":"stepCount","value":11,"unit":"kg"},
             {"type":"averageHeartRate","value":151,"unit":null},
             {"type":"maxSpeed","value":15,"unit":"km/h"},
             {"type":"averageSpeed","value":2.5,"unit":"knots"},
             {"type":"weatherHumidity","value":-1,"unit":"%"},
             {"type":"averageCadence","value":168,"unit":"count/min"},
             {"type":"mood","value":3}]
            """#)
        #expect(read.workout.duration == nil)
        #expect(
            read.workout.statistics == [
                statistics("DistanceWalkingRunning", "km", sum: 5.2),
                statistics("ActiveEnergyBurned", "kJ", sum: 1260),
                statistics("HeartRate", "count/min", average: 151),
            ])
        #expect(
            read.metadata == [
                "openwearables.duration": .quantity(85_500, unit: "ms"),
                "openwearables.stepCount": .quantity(11, unit: "kg"),
                "HKMaximumSpeed": .quantity(15, unit: "km/hr"),
                "openwearables.averageSpeed": .number(2.5),
                "openwearables.weatherHumidity": .quantity(-1, unit: "%"),
                "openwearables.averageCadence": .quantity(168, unit: "count/min"),
                "openwearables.mood": .number(3),
            ])
    }

    @Test("values of other types are kept as text or ignored", arguments: ["null", "{}", "5"])
    func otherValues(values: String) throws {
        #expect(try workout(values).workout.statistics.isEmpty)
        let read = try workout(
            #"""
            [5,null,{"type":"distance"},{"type":"distance","value":null},{"value":6},
             {"type":"distance","value":"far"},{"type":"duration","value":{"s":7}}]
            """#)
        #expect(read.workout.statistics.isEmpty && read.workout.duration == nil)
        #expect(
            read.metadata == [
                "openwearables.distance": .string("far"),
                "openwearables.duration": .string(#"{"s":7}"#),
            ])
    }

    @Test("every activity of the SDK is one of HealthKit's")
    func activities() throws {
        let names = """
            running walking hiking wheelchair_run wheelchair_walk cycling hand_cycling swimming \
            paddle_sports rowing surfing water_fitness water_polo water_sports strength_training \
            functional_strength_training core_training cross_training mixed_cardio hiit \
            flexibility cooldown elliptical stair_climbing stairs step_training fitness_gaming \
            jump_rope pilates preparation_and_recovery yoga mind_and_body barre tai_chi dance \
            dance_inspired_training social_dance cardio_dance tennis table_tennis badminton squash \
            racquetball pickleball soccer basketball baseball softball american_football \
            australian_football rugby hockey lacrosse volleyball handball cricket disc_sports \
            boxing kickboxing martial_arts wrestling fencing snow_sports cross_country_skiing \
            downhill_skiing snowboarding skating curling golf archery fishing hunting climbing \
            equestrian play track_and_field bowling gymnastics mixed_metabolic_cardio_training \
            sailing swim_bike_run transition underwater_diving other
            """.split(separator: " ").map(String.init)
        let numbers = names.compactMap(OpenWearablesWorkout.activity)
        #expect(names.count == 84 && numbers.count == 84)
        #expect(Set(numbers).count == 84)
        for (name, number) in [
            ("running", 37), ("wheelchair_run", 71), ("wheelchair_walk", 70), ("surfing", 45),
            ("strength_training", 50), ("hiit", 63), ("skating", 39), ("equestrian", 17),
            ("tai_chi", 72), ("mixed_metabolic_cardio_training", 30), ("other", 3000),
        ] {
            #expect(OpenWearablesWorkout.activity(name) == number)
        }
    }

    @Test("an unknown activity is kept with its name, and a missing one without")
    func unknownActivities() throws {
        let named = try workout("[]", type: #""quidditch""#).workout
        #expect(named.activityType == 3000 && named.unknownActivityName == "quidditch")
        for type in ["null", "7", "\"\""] {
            let nameless = try workout("[]", type: type).workout
            #expect(nameless.activityType == 3000 && nameless.unknownActivityName == nil)
        }
    }

    @Test("workouts without a valid identifier or time are rejected")
    func invalid() throws {
        let read = try SDKRequest.read(
            workouts: #"""
                {"id":"x",\#(SDKRequest.times)},{"id":"\#(SDKRequest.id)"},
                {"id":"\#(SDKRequest.id)","startDate":"2026-03-01T08:15:00Z",
                 "endDate":"2026-03-01T08:14:00Z"},7
                """#)
        #expect(read.rejections.map(\.reason) == [.identifier, .date, .endBeforeStart, .type])
        #expect(read.rejections.map(\.field) == ["id", "startDate", "endDate", "workouts"])
    }
}

import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthSaveSampleTests {
    private let day = HealthSaveText.day

    private func read(
        _ metric: String, _ samples: [String], _ more: String = ""
    ) throws -> CollectedIntake {
        try CollectedIntake(.healthSave, HealthSaveText.version2(metric, samples, more))
    }

    @Test("a sample of version 2 has its UUID, times, unit, source, device and metadata")
    func quantity() throws {
        let record = HealthSaveText.sample(
            1,
            #""qty":71.5,"unit":"count/min","tzOffsetMinutes":60,"motionContext":"sedentary","#
                + #""source":"Wrist of Sam","duration":600,"futureField":[1]"#)
        let intake = try read(
            "heart_rate", [record],
            #","device":{"name":"Phone of Sam","model":"Phone"},"source_bundle_id":"com.example""#)
        let sample = try #require(intake.samples.first)
        #expect(intake.samples.count == 1)
        #expect(sample.type == "heartRate")
        #expect(sample.identity == HealthSaveText.identity(1))
        #expect(sample.start == day + 28_800)
        #expect(sample.end == day + 29_400)
        #expect(sample.value == 71.5)
        #expect(sample.unit == "count/min")
        #expect(sample.source.name == "Wrist of Sam")
        #expect(sample.source.bundleIdentifier.isEmpty)
        #expect(sample.origin.device == Device(name: "Phone of Sam", model: "Phone"))
        #expect(
            sample.metadata == [
                "HKMetadataKeyHeartRateMotionContext": .number(1),
                "healthsave.tzOffsetMinutes": .number(60),
                "healthsave.source_bundle_id": .string("com.example"),
            ])
        #expect(sample.index == 0)
        #expect(intake.recordCount == 1)
        #expect(intake.totals.isEmpty && intake.unknown.isEmpty && intake.rejections.isEmpty)
    }

    @Test("the batch's bundle identifier is the source of samples that name none")
    func bundleIdentifier() throws {
        let intake = try read(
            "step_count", [HealthSaveText.sample(1, #""qty":420,"unit":"count""#)],
            #","source_bundle_id":"com.example""#)
        let sample = try #require(intake.samples.first)
        #expect(sample.value == 420)
        #expect(sample.source.name.isEmpty)
        #expect(sample.source.bundleIdentifier == "com.example")
        #expect(sample.origin.device == nil)
        #expect(sample.metadata.isEmpty)
    }

    @Test(
        "metrics have HealthKit's names in snake case, and a few others",
        arguments: [
            ("active_energy_burned", "kcal", "activeEnergyBurned"),
            ("bmi", "count", "bodyMassIndex"),
            ("distance_walking_running", "m", "distanceWalkingRunning"),
            ("heart_rate_variability", "ms", "heartRateVariabilitySDNN"),
            ("heart_rate_variability_sdnn", "ms", "heartRateVariabilitySDNN"),
            ("blood_oxygen", "count", "oxygenSaturation"), ("vo2_max", "mL/min·kg", "vo2Max"),
            ("vo2max", "mL/kg*min", "vo2Max"), ("steps", "count", "stepCount"),
            ("HKQuantityTypeIdentifierHeight", "cm", "height"), ("Body_Mass", "lb", "bodyMass"),
            ("basal_energy_burned", "cal", "basalEnergyBurned"),
            ("forced_expiratory_volume_1", "L", "forcedExpiratoryVolume1"),
        ])
    func metrics(metric: String, unit: String, type: String) throws {
        let intake = try read(
            metric, [HealthSaveText.sample(1, #""qty":0.5,"unit":"\#(unit)""#)])
        #expect(intake.samples.map(\.type) == [type])
        #expect(intake.samples.map(\.value) == [0.5])
        #expect(intake.samples.map(\.unit) == [unit])
    }

    @Test(
        "other metrics are kept under their names, RMSSD among them",
        arguments: [
            "heart_rate_variability_rmssd", "hrv", "moonlight", "blood_pressure", "ecg",
            "electrocardiogram", "medication", "daily_activity", "quantity_samples",
        ])
    func unknownMetrics(metric: String) throws {
        let record = HealthSaveText.sample(1, #""qty":5,"unit":"ms""#)
        let intake = try read(metric, [record])
        #expect(intake.unknown == [UnknownRecord(name: metric, json: record, index: 0)])
        #expect(intake.samples.isEmpty && intake.totals.isEmpty && intake.rejections.isEmpty)
    }

    @Test("a percentage is a fraction, and an impossible one is rejected")
    func percentages() throws {
        let intake = try read(
            "oxygen_saturation",
            ["0.97", "97", "0.2"].enumerated().map {
                HealthSaveText.sample($0.offset, #""qty":\#($0.element),"unit":"%""#)
            })
        #expect(intake.samples.map(\.value) == [0.97])
        #expect(intake.samples.map(\.unit) == ["%"])
        #expect(intake.rejections.map(\.reason) == [.range, .range])
        #expect(intake.rejections.map(\.field) == ["qty", "qty"])
        #expect(intake.rejections.map(\.index) == [1, 2])
    }

    @Test("a number can be in “value”, and a reading without an end is an instant")
    func reading() throws {
        let intake = try read(
            "body_mass",
            [
                #"{"uuid":"\#(HealthSaveText.uuid(1))","date":"2026-03-01T07:00:00+01:00","#
                    + #""value":70.25,"unit":"kg"}"#
            ])
        #expect(intake.samples.map(\.value) == [70.25])
        #expect(intake.samples.map(\.unit) == ["kg"])
        #expect(intake.samples.map(\.start) == [day + 21_600])
        #expect(intake.samples.map(\.end) == [day + 21_600])
        #expect(intake.samples.map(\.identity) == [HealthSaveText.identity(1)])
    }

    @Test("an amount or a state without an end is rejected")
    func missingEnd() throws {
        let fields = #"{"uuid":"\#(HealthSaveText.uuid(1))","start":"2026-03-01T08:00:00Z","#
        for body in [
            HealthSaveText.version2("step_count", [fields + #""qty":5,"unit":"count"}"#]),
            HealthSaveText.version2("sleep_analysis", [fields + #""value":3}"#]),
        ] {
            let intake = try CollectedIntake(.healthSave, body)
            #expect(intake.rejections.map(\.reason) == [.date])
            #expect(intake.rejections.map(\.field) == ["endDate"])
        }
    }

    @Test("a count needs no unit, and other quantities without one are kept as unknown")
    func missingUnit() throws {
        let record = HealthSaveText.sample(1, #""qty":5"#)
        #expect(try read("step_count", [record]).samples.map(\.value) == [5])
        #expect(try read("step_count", [record]).samples.map(\.unit) == ["count"])
        for metric in ["heart_rate", "oxygen_saturation", "active_energy_burned"] {
            let intake = try read(metric, [record])
            #expect(intake.samples.isEmpty && intake.rejections.isEmpty)
            #expect(intake.unknown.map(\.name) == [metric + " without unit"])
        }
    }

    @Test(
        "a unit that is unknown or of another dimension is rejected",
        arguments: ["\"furlong\"", "\"kg\"", "\"\"", "7", "{}"])
    func units(unit: String) throws {
        let intake = try read(
            "heart_rate", [HealthSaveText.sample(1, #""qty":5,"unit":\#(unit)"#)])
        #expect(intake.rejections.map(\.reason) == [.unit])
        #expect(intake.rejections.map(\.field) == ["unit"])
        #expect(intake.rejections.map(\.identifier) == [HealthSaveText.uuid(1)])
    }

    @Test(
        "a value that is no finite number is rejected",
        arguments: ["true", "\"many\"", "\"nan\"", "{}", "[1]", "1e400"])
    func values(value: String) throws {
        let intake = try read(
            "step_count", [HealthSaveText.sample(1, #""qty":\#(value),"unit":"count""#)])
        #expect(intake.rejections.map(\.reason) == [.value])
        #expect(intake.rejections.map(\.field) == ["qty"])
    }

    @Test("a record without a value is rejected")
    func missingValue() throws {
        let intake = try read(
            "step_count",
            [
                HealthSaveText.sample(1, #""unit":"count""#),
                HealthSaveText.sample(2, #""qty":null,"unit":"count""#),
            ])
        #expect(intake.rejections.map(\.reason) == [.value, .value])
        #expect(intake.rejections.map(\.field) == ["value", "value"])
    }

    @Test("a category has a raw value or the name of one")
    func categories() throws {
        let values = [
            "5", "\"4\"", "\"asleepCore\"", "\"HKCategoryValueSleepAnalysisInBed\"", "\"in_bed\"",
            "\"asleep\"", "\"AWAKE\"", "\"core\"", "\"deep\"", "\"rem\"",
        ]
        let intake = try read(
            "sleep_analysis",
            values.enumerated().map {
                HealthSaveText.sample($0.offset, #""value":\#($0.element)"#)
            })
        #expect(intake.samples.map(\.value) == [5, 4, 3, 0, 0, 1, 2, 3, 4, 5])
        #expect(intake.samples.map(\.type) == values.map { _ in "sleepAnalysis" })
        #expect(intake.samples.allSatisfy { $0.unit == nil })
        #expect(intake.samples.map(\.start) == values.map { _ in day + 28_800 })
        #expect(intake.samples.map(\.end) == values.map { _ in day + 29_400 })
        #expect(intake.samples.map(\.identity) == values.indices.map(HealthSaveText.identity))
    }

    @Test("other words of a category are kept, and values that are none are rejected")
    func otherCategories() throws {
        let intake = try read(
            "sleep_analysis",
            [#""value":"dozing""#, #""value":2.5"#, #""value":{}"#, #""qty":2"#].map {
                HealthSaveText.sample(1, $0)
            })
        #expect(intake.unknown.map(\.name) == ["sleepAnalysis value"])
        #expect(intake.rejections.map(\.reason) == [.value, .value, .value])
        #expect(intake.rejections.map(\.index) == [1, 2, 3])
    }

    @Test("a workout has its activity, and its other fields are metadata")
    func workouts() throws {
        let intake = try read(
            "workouts",
            [
                HealthSaveText.sample(
                    1,
                    #""activityType":37,"duration":540.5,"distance":{"qty":2},"indoor":false,"#
                        + #""note":"easy","source":"Runner","nothing":null"#),
                HealthSaveText.sample(2, #""value":"HKWorkoutActivityTypeYoga""#),
                HealthSaveText.sample(3, #""activity_type":"high_intensity_interval_training""#),
                HealthSaveText.sample(4, #""workout_type":"juggling""#),
                HealthSaveText.sample(5, #""value":37"#),
            ])
        var workouts: [Workout] = []
        for sample in intake.samples {
            if case .workout(let workout)? = sample.detail { workouts.append(workout) }
        }
        #expect(
            workouts == [
                Workout(activityType: 37), Workout(activityType: 57), Workout(activityType: 63),
                Workout(activityType: 3000, unknownActivityName: "juggling"),
            ])
        #expect(intake.samples.map(\.type) == ["workout", "workout", "workout", "workout"])
        #expect(intake.samples.map(\.identity) == [1, 2, 3, 4].map(HealthSaveText.identity))
        #expect(intake.samples.map(\.start) == workouts.map { _ in day + 28_800 })
        #expect(intake.samples.map(\.end) == workouts.map { _ in day + 29_400 })
        #expect(intake.samples.first?.source.name == "Runner")
        #expect(
            intake.samples.first?.metadata == [
                "healthsave.duration": .number(540.5),
                "healthsave.distance": .string(#"{"qty":2}"#), "healthsave.indoor": .number(0),
                "healthsave.note": .string("easy"),
            ])
        #expect(intake.unknown.map(\.name) == ["workout without activity"])
    }
}

import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenHealthExporterSampleTests {
    private let day = ExporterText.day

    @Test("a quantity sample has its UUID, times, unit, source, device and metadata")
    func quantity() throws {
        let fields = #"""
            "batchSeq":7,"count":3,"device":{"hardwareVersion":"Watch7,5","manufacturer":"Acme",\#
            "model":"Watch","name":"Wrist","softwareVersion":"11.2"},"futureField":{"a":[1]},\#
            "hkIdentifier":"HKQuantityTypeIdentifierHeartRate","metadata":\#
            {"HKMetadataKeyHeartRateMotionContext":1,"app.note":"after lunch"},\#
            "metricId":"heart_rate","quality":"ok","semantics":"curated","source":\#
            {"bundleId":"com.example.watch","name":"Wrist of Sam","productType":"Watch7,5"},\#
            "tzOffsetMinutes":60,"tzSource":"deviceCurrent","unit":"bpm","value":71.5,\#
            "wasUserEntered":false
            """#
        let intake = try CollectedIntake(exporter: [
            ExporterText.record("sample.quantity", 1, fields)
        ])
        let sample = try #require(intake.samples.first)
        #expect(intake.samples.count == 1)
        #expect(sample.type == "heartRate")
        #expect(sample.identity == ExporterText.identity(1))
        #expect(sample.start == day + 28_800)
        #expect(sample.end == day + 29_400)
        #expect(sample.value == 71.5)
        #expect(sample.unit == "count/min")
        #expect(sample.source.name == "Wrist of Sam")
        #expect(sample.source.bundleIdentifier == "com.example.watch")
        #expect(sample.origin.productType == "Watch7,5")
        #expect(sample.origin.version == nil)
        #expect(
            sample.origin.device
                == Device(
                    name: "Wrist", manufacturer: "Acme", model: "Watch",
                    hardwareVersion: "Watch7,5", softwareVersion: "11.2"))
        #expect(
            sample.metadata == [
                "HKMetadataKeyHeartRateMotionContext": .number(1),
                "app.note": .string("after lunch"), "HKWasUserEntered": .number(0),
            ])
        #expect(sample.index == 0)
        #expect(sample.parent == nil)
        #expect(intake.recordCount == 1)
        #expect(intake.unknown.isEmpty && intake.rejections.isEmpty)
    }

    @Test("the time at which the app observed a sample is its creation date")
    func observed() throws {
        var created: [Double] = []
        let records = [
            ExporterText.steps(1),
            ExporterText.steps(2).replacing("\"observedAt\":\"2026-03-01T09:00:00Z\",", with: ""),
        ]
        let request = IntakeRequest(
            .openHealthExporter, IntakeBody(ExporterText.batch(records)), receivedAt: 77)
        _ = try request.readPages { page in created += page.samples.samples.map(\.created) }
        #expect(created == [day + 32_400, 77])
    }

    @Test(
        "each metric of the sender's catalogue has a type, and its unit becomes HealthKit's",
        arguments: [
            ("step_count", "count", "stepCount", "count"),
            ("heart_rate", "bpm", "heartRate", "count/min"),
            ("resting_heart_rate", "bpm", "restingHeartRate", "count/min"),
            ("walking_heart_rate_average", "bpm", "walkingHeartRateAverage", "count/min"),
            ("heart_rate_variability_sdnn", "ms", "heartRateVariabilitySDNN", "ms"),
            ("active_energy", "kcal", "activeEnergyBurned", "kcal"),
            ("basal_energy", "kcal", "basalEnergyBurned", "kcal"),
            ("walking_running_distance", "km", "distanceWalkingRunning", "km"),
            ("cycling_distance", "km", "distanceCycling", "km"),
            ("swimming_distance", "km", "distanceSwimming", "km"),
            ("wheelchair_distance", "km", "distanceWheelchair", "km"),
            ("flights_climbed", "count", "flightsClimbed", "count"),
            ("push_count", "count", "pushCount", "count"),
            ("swimming_stroke_count", "count", "swimmingStrokeCount", "count"),
            ("body_mass_index", "count", "bodyMassIndex", "count"),
            ("exercise_time", "min", "appleExerciseTime", "min"),
            ("stand_time", "min", "appleStandTime", "min"),
            ("apple_move_time", "min", "appleMoveTime", "min"),
            ("time_in_daylight", "min", "timeInDaylight", "min"),
            ("body_mass", "kg", "bodyMass", "kg"), ("lean_body_mass", "kg", "leanBodyMass", "kg"),
            ("height", "m", "height", "m"),
            ("respiratory_rate", "count/min", "respiratoryRate", "count/min"),
            ("vo2_max", "mL/kg/min", "vo2Max", "mL/kg*min"),
            ("blood_glucose", "mg/dL", "bloodGlucose", "mg/dL"),
            ("body_temperature", "degC", "bodyTemperature", "degC"),
            ("basal_body_temperature", "degC", "basalBodyTemperature", "degC"),
            ("dietary_water", "mL", "dietaryWater", "mL"),
            ("blood_pressure_systolic", "mmHg", "bloodPressureSystolic", "mmHg"),
            ("blood_pressure_diastolic", "mmHg", "bloodPressureDiastolic", "mmHg"),
            ("walking_speed", "m/s", "walkingSpeed", "m/s"),
            ("running_speed", "m/s", "runningSpeed", "m/s"),
            ("cycling_speed", "m/s", "cyclingSpeed", "m/s"),
            ("stair_ascent_speed", "m/s", "stairAscentSpeed", "m/s"),
            ("environmental_audio_exposure", "dBASPL", "environmentalAudioExposure", "dBASPL"),
            ("physical_effort", "kcal/kg/h", "physicalEffort", "kcal/(kg*hr)"),
        ])
    func metric(name: String, unit: String, type: String, symbol: String) throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.quantity", 1, #""metricId":"\#(name)","unit":"\#(unit)","value":50.25"#)
        ])
        let sample = try #require(intake.samples.first)
        #expect(sample.type == type)
        #expect(sample.value == 50.25)
        #expect(sample.unit == symbol)
    }

    @Test("the sender's catalogue has 38 metrics, and each has a type")
    func catalogue() {
        #expect(OpenHealthExporterMetric.names.count == 38)
        for name in OpenHealthExporterMetric.names.keys {
            #expect(OpenHealthExporterMetric.type(named: name)?.kind == .quantity, "\(name)")
        }
    }

    @Test(
        "percentages from 0 to 100 become fractions",
        arguments: [
            ("oxygen_saturation", "97.6", 0.976), ("oxygen_saturation", "95.5", 0.955),
            ("oxygen_saturation", "100", 1.0), ("body_fat_percentage", "27.4", 0.274),
            ("body_fat_percentage", "0", 0.0),
        ])
    func percentage(name: String, sent: String, fraction: Double) throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.quantity", 1, #""metricId":"\#(name)","unit":"%","value":\#(sent)"#)
        ])
        #expect(intake.samples.first?.value == fraction)
        #expect(intake.samples.first?.unit == "%")
    }

    @Test(
        "a value of doubtful quality is kept as unknown, and is neither a sample nor rejected",
        arguments: [
            #""metricId":"oxygen_saturation","unit":"%","value":105.92"#,
            #""metricId":"oxygen_saturation","unit":"%","value":0.97"#,
            #""metricId":"body_fat_percentage","unit":"%","value":695"#,
            #""metricId":"body_fat_percentage","unit":"%","value":-1"#,
            #""metricId":"heart_rate","unit":"bpm","value":400,"quality":"outOfRange""#,
            #""metricId":"heart_rate","unit":"bpm","value":60,"quality":"unconvertible""#,
            #""metricId":"heart_rate","unit":"bpm","value":60,"quality":"estimated""#,
        ])
    func quality(fields: String) throws {
        let record = ExporterText.record("sample.quantity", 1, fields)
        let intake = try CollectedIntake(exporter: [record])
        #expect(intake.samples.isEmpty)
        #expect(intake.rejections.isEmpty)
        #expect(intake.unknown.map(\.name) == ["quality"])
        #expect(intake.unknown.first?.json == record)
        #expect(intake.unknown.first?.index == 0)
    }

    @Test("HealthKit's identifier takes precedence over the name of the metric")
    func unmapped() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.quantity", 1,
                #""hkIdentifier":"HKQuantityTypeIdentifierDietaryCaffeine","#
                    + #""metricId":"step_count","semantics":"unmapped","unit":"mg","value":95"#)
        ])
        #expect(intake.samples.map(\.type) == ["dietaryCaffeine"])
        #expect(intake.samples.map(\.value) == [95])
        #expect(intake.samples.map(\.unit) == ["mg"])
    }

    @Test("the calorie of HealthKit's notation is the small one")
    func calorie() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.quantity", 1, #""metricId":"active_energy","unit":"cal","value":1500"#)
        ])
        #expect(intake.samples.map(\.value) == [1500])
        #expect(intake.samples.map(\.unit) == ["cal"])
    }

    @Test("the number of a category counts, whatever its word is")
    func category() throws {
        func sleep(_ number: Int, _ fields: String) -> String {
            ExporterText.record(
                "sample.category", number,
                #""hkIdentifier":"HKCategoryTypeIdentifierSleepAnalysis",\#(fields)"#)
        }
        let intake = try CollectedIntake(exporter: [
            sleep(1, #""categoryName":"asleepREM","categoryValue":5,"durationSeconds":600"#),
            sleep(2, #""categoryName":"raw_3","categoryValue":3"#),
            sleep(3, #""categoryName":"awake""#), sleep(4, #""categoryValue":2.5"#),
        ])
        #expect(intake.samples.map(\.type) == ["sleepAnalysis", "sleepAnalysis"])
        #expect(intake.samples.map(\.value) == [5, 3])
        #expect(intake.samples.map(\.unit) == [nil, nil])
        #expect(intake.samples.map(\.start) == [day + 28_800, day + 28_800])
        #expect(intake.samples.map(\.end) == [day + 29_400, day + 29_400])
        #expect(intake.samples.map(\.identity) == [1, 2].map(ExporterText.identity))
        #expect(intake.rejections.map(\.reason) == [.value, .value])
        #expect(intake.rejections.map(\.field) == ["categoryValue", "categoryValue"])
    }

    @Test("a state of mind has the raw values of HealthKit")
    func stateOfMind() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.stateOfMind", 1,
                #""associations":["raw_4","raw_17"],"kindOfEntry":"raw_2","labels":["raw_7"],"#
                    + #""valence":0.25,"valenceClassification":"raw_5""#),
            ExporterText.record(
                "sample.stateOfMind", 2, #""kindOfEntry":"momentaryEmotion","valence":-1"#
            ).replacing("\"end\":\"2026-03-01T08:10:00Z\",", with: ""),
        ])
        #expect(intake.samples.map(\.type) == ["stateOfMind", "stateOfMind"])
        #expect(
            intake.samples.map(\.detail) == [
                .numbers([
                    "kind": [2], "valence": [0.25], "labels": [7], "associations": [4, 17],
                ]),
                .numbers(["kind": [1], "valence": [-1], "labels": [], "associations": []]),
            ])
        #expect(intake.samples.map(\.start) == [day + 28_800, day + 28_800])
        #expect(intake.samples.map(\.end) == [day + 29_400, day + 28_800])
        #expect(intake.samples.map(\.identity) == [1, 2].map(ExporterText.identity))
    }

    @Test("a state of mind with other words or values is kept")
    func otherStateOfMind() throws {
        let fields = [
            #""kindOfEntry":"raw_1","labels":["cheerful"],"valence":0"#,
            #""kindOfEntry":"weekly","valence":0"#, #""kindOfEntry":"raw_1","valence":1.5"#,
            #""kindOfEntry":"raw_1","valence":null"#,
            #""kindOfEntry":"raw_1","labels":"raw_7","valence":0"#,
        ]
        let intake = try CollectedIntake(
            exporter: fields.map { ExporterText.record("sample.stateOfMind", 1, $0) })
        #expect(intake.samples.isEmpty)
        #expect(
            intake.unknown.map(\.name) == [
                "stateOfMind.labels", "stateOfMind.kindOfEntry", "quality",
            ])
        #expect(intake.rejections.map(\.field) == ["valence", "labels"])
    }

    @Test("only a zone of the sample's metadata is the zone of the sample")
    func zone() throws {
        func record(_ number: Int, _ source: String) -> String {
            ExporterText.record(
                "sample.quantity", number,
                #""metricId":"body_mass","tzId":"Europe/Berlin","tzOffsetMinutes":60,"#
                    + #""tzSource":"\#(source)","unit":"kg","value":70"#)
        }
        let intake = try CollectedIntake(exporter: [
            record(1, "sampleMetadata"), record(2, "deviceCurrent"), record(3, "inferred"),
            record(4, "unknown"),
        ])
        #expect(
            intake.samples.map(\.metadata) == [
                ["HKTimeZone": .string("Europe/Berlin")], [:], [:], [:],
            ])
    }

    @Test("metadata has the kinds that HealthKit's keys have")
    func metadata() throws {
        let fields = #"""
            "metadata":{"HKWasUserEntered":true,"HKTimeZone":"Asia/Tokyo",\#
            "HKDeviceSerialNumber":12,"HKInsulinDeliveryReason":"2","HKIndoorWorkout":"yes",\#
            "HKDateOfEarliestDataUsedForEstimate":"2026-03-01T00:00:00Z",\#
            "HKElevationAscended":{"unit":"m","value":12.5},"a":null,"b":[1,2],"c":1.5,"d":false},\#
            "metricId":"body_mass","unit":"kg","value":70
            """#
        let intake = try CollectedIntake(exporter: [
            ExporterText.record("sample.quantity", 1, fields)
        ])
        #expect(
            intake.samples.first?.metadata == [
                "HKWasUserEntered": .number(1), "HKTimeZone": .string("Asia/Tokyo"),
                "HKDeviceSerialNumber": .string("12"), "HKInsulinDeliveryReason": .number(2),
                "HKIndoorWorkout": .number(1),
                "HKDateOfEarliestDataUsedForEstimate": .date(day),
                "HKElevationAscended": .quantity(12.5, unit: "m"), "b": .string("[1,2]"),
                "c": .number(1.5), "d": .number(0),
            ])
    }
}

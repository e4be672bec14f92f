import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

/// A metric with its units, and the type, value and unit that it becomes.
private struct MetricCase: Sendable, CustomTestStringConvertible {
    let name: String
    let units: String
    let sent: Double
    let type: String
    let value: Double
    let unit: String

    init(
        _ name: String, _ units: String, _ sent: Double, _ type: String, _ value: Double,
        _ unit: String
    ) {
        self.name = name
        self.units = units
        self.sent = sent
        self.type = type
        self.value = value
        self.unit = unit
    }

    var testDescription: String { "\(name) in \(units)" }
}

@Suite struct HealthAutoExportQuantityTests {
    private static let cases = [
        MetricCase("step_count", "count", 8123, "stepCount", 8123, "count"),
        MetricCase("Step Count", "steps", 8123, "stepCount", 8123, "count"),
        MetricCase("walking_running_distance", "km", 5.25, "distanceWalkingRunning", 5.25, "km"),
        MetricCase("Walking + Running Distance", "mi", 3, "distanceWalkingRunning", 3, "mi"),
        MetricCase("swimming_distance", "yd", 1000, "distanceSwimming", 1000, "yd"),
        MetricCase("active_energy", "kcal", 512.5, "activeEnergyBurned", 512.5, "kcal"),
        MetricCase("active_energy", "Cal", 512.5, "activeEnergyBurned", 512.5, "kcal"),
        MetricCase("resting_energy", "kJ", 7000, "basalEnergyBurned", 7000, "kJ"),
        MetricCase("apple_exercise_time", "min", 31, "appleExerciseTime", 31, "min"),
        MetricCase("physical_effort", "kcal/hr·kg", 2.5, "physicalEffort", 2.5, "kcal/(kg*hr)"),
        MetricCase("physical_effort", "kcal/(hr·kg)", 2.5, "physicalEffort", 2.5, "kcal/(kg*hr)"),
        MetricCase("physical_effort", "MET", 2.5, "physicalEffort", 2.5, "kcal/(kg*hr)"),
        MetricCase("running_speed", "km/hr", 11.25, "runningSpeed", 11.25, "km/hr"),
        MetricCase("walking_speed", "mi/hr", 3.5, "walkingSpeed", 3.5, "mi/hr"),
        MetricCase("stair_speed:_up", "ft/s", 1.25, "stairAscentSpeed", 1.25, "ft/s"),
        MetricCase("stair_speed_down", "m/s", 0.5, "stairDescentSpeed", 0.5, "m/s"),
        MetricCase("running_power", "watts", 240, "runningPower", 240, "W"),
        MetricCase("running_vertical_oscillation", "cm", 9, "runningVerticalOscillation", 9, "cm"),
        MetricCase(
            "running_ground_contact_time", "ms", 250, "runningGroundContactTime", 250, "ms"),
        MetricCase("weight_&_body_mass", "lb", 157.5, "bodyMass", 157.5, "lb"),
        MetricCase("height", "ft", 5.75, "height", 5.75, "ft"),
        MetricCase("waist_circumference", "in", 33, "waistCircumference", 33, "in"),
        MetricCase("body_mass_index", "count", 22.5, "bodyMassIndex", 22.5, "count"),
        MetricCase("body_fat_percentage", "%", 27.4, "bodyFatPercentage", 0.274, "%"),
        MetricCase("blood_oxygen_saturation", "%", 94, "oxygenSaturation", 0.94, "%"),
        MetricCase("oxygen_saturation", "%", 95.5, "oxygenSaturation", 0.955, "%"),
        MetricCase(
            "walking_asymmetry_percentage", "%", 0.5, "walkingAsymmetryPercentage", 0.005, "%"),
        MetricCase("atrial_fibrillation_burden", "%", 2, "atrialFibrillationBurden", 0.02, "%"),
        MetricCase("wrist_temperature", "ºC", 35.5, "appleSleepingWristTemperature", 35.5, "degC"),
        MetricCase("body_temperature", "°F", 98.5, "bodyTemperature", 98.5, "degF"),
        MetricCase("basal_body_temperature", "degC", 36.5, "basalBodyTemperature", 36.5, "degC"),
        MetricCase("resting_heart_rate", "bpm", 52, "restingHeartRate", 52, "count/min"),
        MetricCase("heart_rate", "count/min", 61, "heartRate", 61, "count/min"),
        MetricCase(
            "heart_rate_variability", "ms", 48.5, "heartRateVariabilitySDNN", 48.5, "ms"),
        MetricCase("vo2_max", "ml/(kg·min)", 45.5, "vo2Max", 45.5, "mL/kg*min"),
        MetricCase("VO2 Max", "mL/min·kg", 45.5, "vo2Max", 45.5, "mL/kg*min"),
        MetricCase("respiratory_rate", "count/min", 14.5, "respiratoryRate", 14.5, "count/min"),
        MetricCase("blood_glucose", "mg/dL", 101, "bloodGlucose", 101, "mg/dL"),
        MetricCase(
            "blood_glucose", "mmol/L", 5.5, "bloodGlucose", 5.5, "mmol<180.15588000005408>/L"),
        MetricCase("insulin_delivery", "IU", 4.5, "insulinDelivery", 4.5, "IU"),
        MetricCase("environmental_audio", "dBASPL", 62, "environmentalAudioExposure", 62, "dBASPL"),
        MetricCase("electrodermal_activity", "mcS", 4, "electrodermalActivity", 4, "mcS"),
        MetricCase("electrodermal_activity", "S", 4, "electrodermalActivity", 4, "S"),
        MetricCase(
            "peak_expiratory_flow_rate", "L/min", 430, "peakExpiratoryFlowRate", 430, "L/min"),
        MetricCase(
            "six-minute_walking_test_distance", "m", 510, "sixMinuteWalkTestDistance", 510, "m"),
        MetricCase("water", "fl_oz", 8, "dietaryWater", 8, "fl_oz_us"),
        MetricCase("dietary_water", "mL", 250, "dietaryWater", 250, "mL"),
        MetricCase("monosaturated_fat", "g", 9, "dietaryFatMonounsaturated", 9, "g"),
        MetricCase("caffeine", "mg", 80, "dietaryCaffeine", 80, "mg"),
        MetricCase("vitamin_b12", "µg", 2.5, "dietaryVitaminB12", 2.5, "mcg"),
        MetricCase("vitamin_d", "μg", 2.5, "dietaryVitaminD", 2.5, "mcg"),
        MetricCase("iodine", "mcg", 2.5, "dietaryIodine", 2.5, "mcg"),
    ]

    @Test("each metric is read in the units that the person chose", arguments: cases)
    fileprivate func metrics(metric: MetricCase) throws {
        let read = try AppExport.metric(
            metric.name, metric.units, #"{"date":"2026-03-01","qty":\#(metric.sent)}"#,
            aggregation: "Days")
        let total = try #require(read.totals.first)
        #expect(read.counts == [0, 1, 0, 0])
        #expect(Catalogue.type(code: total.type)?.name == metric.type)
        #expect(total.value == metric.value)
        #expect(total.unit == metric.unit)
    }

    @Test("every name in the table is that of a type of the catalogue")
    func names() throws {
        let read = try AppExport.metric("downhill_snow_sports", "km", "")
        #expect(read.recordCount == 0)
        for name in [
            "apple_move_time", "apple_stand_time", "apple_standtime", "time_in_daylight",
            "cycling_cadence", "cycling_functional_threshold_power", "cycling_power",
            "lean_body_mass", "walking_heart_rate", "cardio_recovery", "breathing_disturbances",
            "forced_vital_capacity", "forced_expiratory_volume", "peripheral_perfusion_index",
            "blood_alcohol_content", "uv_exposure", "under_water_depth", "underwater_temperature",
            "wheelchair_push_count", "swim_stroke_count", "flights_climbed", "total_fat", "sugar",
            "cholesterol", "folate", "dietary_biotin", "pantothenic_acid", "Headphone Audio",
        ] {
            #expect(HealthAutoExportMetricNames.type(name) != nil, "\(name)")
        }
        #expect(HealthAutoExportMetricNames.type("distance_rowing") == nil)
        #expect(HealthAutoExportMetricNames.type("") == nil)
    }

    @Test(
        "a unit that is unknown or of another dimension rejects the record",
        arguments: [
            ("step_count", ""), ("step_count", "%"), ("step_count", "km"), ("active_energy", "cal"),
            ("weight_body_mass", "stone"), ("weight_body_mass", "kcal"), ("height", " "),
            ("oxygen_saturation", "count"), ("oxygen_saturation", ""), ("heart_rate", "ms"),
            ("blood_pressure", "count/min"), ("mindful_minutes", "count"),
        ])
    func units(name: String, units: String) throws {
        let read = try AppExport.metric(
            name, units,
            #"{"date":"2026-03-01 07:31:12 +0100","qty":97,"systolic":120,"diastolic":80}"#)
        #expect(read.counts == [0, 0, 0, 1])
        #expect(read.rejections.first?.reason == .unit)
        #expect(read.rejections.first?.field == "units")
        #expect(read.rejections.first?.json.contains(#""qty":97"#) == true)
        #expect(read.rejections.first?.json.contains(#""systolic":120,"diastolic":80"#) == true)
    }

    @Test("units of another type than text reject the record", arguments: ["null", "5", "{}"])
    func unitsOfOtherTypes(units: String) throws {
        let read = try AppExport.read(
            #"{"metrics":[{"name":"height","units":\#(units),"#
                + #""data":[{"date":"2026-03-01","qty":1}]}]}"#)
        #expect(read.rejections.map(\.reason) == [.unit])
    }

    @Test(
        "an impossible percentage is rejected, and not taken for a fraction",
        arguments: [
            ("oxygen_saturation", 0.97), ("oxygen_saturation", 101), ("oxygen_saturation", 29),
            ("body_fat_percentage", 101), ("body_fat_percentage", -1),
            ("walking_asymmetry_percentage", 120), ("walking_double_support_percentage", 100.5),
        ])
    func ranges(name: String, percent: Double) throws {
        let read = try AppExport.metric(
            name, "%", #"{"date":"2026-03-01 07:31:12 +0100","qty":\#(percent)}"#)
        #expect(read.counts == [0, 0, 0, 1])
        #expect(read.rejections.first?.reason == .range)
        #expect(read.rejections.first?.field == "qty")
    }

    @Test("numbers are read from text too, and other values reject the record")
    func values() throws {
        let date = #""date":"2026-03-01 07:31:12 +0100""#
        let read = try AppExport.metric(
            "height", "cm",
            [
                #"{\#(date),"qty":"178.5"}"#, #"{\#(date),"Qty":179}"#, #"{\#(date),"qty":"tall"}"#,
                #"{\#(date),"qty":1e400}"#, #"{\#(date),"qty":"NaN"}"#, #"{\#(date),"qty":"inf"}"#,
                #"{\#(date),"qty":{"value":1}}"#, #"{\#(date),"qty":[1]}"#,
                #"{\#(date),"qty":true}"#,
                #"{\#(date),"source":"Tape"}"#, #"{\#(date),"qty":null}"#,
            ].joined(separator: ","))
        #expect(read.samples.map(\.value) == [178.5, 179])
        #expect(read.rejections.map(\.index) == Array(2...10))
        #expect(read.rejections.allSatisfy { $0.reason == .value && $0.field == "qty" })
        #expect(read.unknown.isEmpty)
    }

    @Test("data of an unknown shape are kept")
    func unknownShape() throws {
        let read = try AppExport.metric(
            "heart_rate", "bpm",
            #"{"date":"2026-03-01 07:31:12 +0100","beats":[{"t":0.5},{"t":1.25}]}"#)
        #expect(read.counts == [0, 0, 1, 0])
        #expect(read.unknown.first?.name == "heart_rate shape")
        #expect(
            read.unknown.first?.json == #"""
                {"name":"heart_rate","units":"bpm","data":[{"date":"2026-03-01 07:31:12 +0100",\#
                "beats":[{"t":0.5},{"t":1.25}]}]}
                """#)
    }

    // MARK: - Glucose and insulin

    @Test("the meal time of a glucose and the reason of an insulin become metadata")
    func attributes() throws {
        let date = #""date":"2026-03-01 07:31:12 +0100""#
        let glucose = try AppExport.metric(
            "blood_glucose", "mg/dL",
            ["Before Meal", "After Meal", "Unspecified", "", "vor dem Essen"].enumerated().map {
                #"{\#(date),"qty":\#(100 + $0.offset),"mealTime":"\#($0.element)"}"#
            }.joined(separator: ","))
        #expect(glucose.samples.map(\.value) == [100, 101, 102, 103, 104])
        #expect(
            glucose.samples.map(\.metadata) == [
                AppExport.verdict("header", ["HKBloodGlucoseMealTime": .number(1)]),
                AppExport.verdict("header", ["HKBloodGlucoseMealTime": .number(2)]),
                AppExport.verdict("header"), AppExport.verdict("header"),
                AppExport.verdict(
                    "header", ["healthautoexport.mealTime": .string("vor dem Essen")]),
            ])
        let insulin = try AppExport.metric(
            "insulin_delivery", "IU",
            #"{\#(date),"qty":4,"reason":"Bolus"},{\#(date),"qty":0.5,"reason":"Basal"}"#)
        #expect(insulin.samples.map(\.value) == [4, 0.5])
        #expect(insulin.samples.map(\.unit) == ["IU", "IU"])
        #expect(
            insulin.samples.map(\.metadata) == [
                AppExport.verdict("header", ["HKInsulinDeliveryReason": .number(2)]),
                AppExport.verdict("header", ["HKInsulinDeliveryReason": .number(1)]),
            ])
    }

    @Test("a bucket of one reason or meal time is no total of the type, and is kept")
    func attributesOfBuckets() throws {
        let read = try AppExport.metric(
            "insulin_delivery", "IU",
            #"{"date":"2026-03-01","qty":4,"reason":"Bolus"},{"date":"2026-03-01","qty":9}"#,
            aggregation: "Days")
        #expect(read.unknown.map(\.name) == ["insulin_delivery by reason"])
        #expect(read.unknown.first?.json.contains(#""qty":4,"reason":"Bolus""#) == true)
        #expect(read.totals.map(\.value) == [9])
        #expect(read.totals.map(\.statistic) == [.sum])
    }

    // MARK: - Heart rates

    @Test("a heart rate's minimum, average and maximum are three totals")
    func heartRateBuckets() throws {
        let read = try AppExport.metric(
            "heart_rate", "bpm",
            #"{"date":"2026-03-01 07:00:00 +0100","Min":51,"Avg":58.25,"Max":77,"source":"Watch"}"#,
            aggregation: "Hours", automation: "A1")
        let expected = [
            (ExternalTotal.Statistic.minimum, 51), (.average, 58.25), (.maximum, 77.0),
        ].map { statistic, value in
            ExternalTotal(
                type: 45, statistic: statistic, start: AppExport.utc(2026, 3, 1, 6),
                end: AppExport.utc(2026, 3, 1, 7), value: value, unit: "count/min", series: "A1",
                index: 0)
        }
        #expect(read.totals == expected)
        #expect(read.samples.isEmpty)
    }

    @Test("a point with three equal heart rates is one reading, and others are totals")
    func heartRatePoints() throws {
        let date = #""date":"2026-03-01 07:31:12 +0100","source":"Watch""#
        let read = try AppExport.metric(
            "heart_rate", "count/min",
            #"""
            {\#(date),"Min":61,"Avg":61,"Max":61},{\#(date),"min":62,"avg":62.5,"max":63},
            {\#(date),"qty":64},{\#(date),"Avg":65}
            """#)
        #expect(read.samples.map(\.value) == [61, 64, 65])
        #expect(read.samples.map(\.type) == ["heartRate", "heartRate", "heartRate"])
        #expect(read.samples.map(\.unit) == ["count/min", "count/min", "count/min"])
        #expect(read.samples.map(\.identity) == [.point, .point, .point])
        #expect(read.samples.map(\.source.name) == ["Watch", "Watch", "Watch"])
        #expect(read.samples.map(\.index) == [0, 2, 3])
        #expect(read.totals.map(\.value) == [62, 62.5, 63])
        #expect(read.totals.map(\.statistic) == [.minimum, .average, .maximum])
        #expect(read.totals.map(\.source) == ["Watch", "Watch", "Watch"])
        #expect(read.totals.map(\.index) == [1, 1, 1])
    }

    @Test("one invalid number rejects all three")
    func invalidHeartRate() throws {
        let read = try AppExport.metric(
            "heart_rate", "bpm",
            #"{"date":"2026-03-01 07:00:00 +0100","Min":51,"Avg":"high","Max":77}"#,
            aggregation: "Hours")
        #expect(read.counts == [0, 0, 0, 1])
        #expect(read.rejections.first?.reason == .value)
        #expect(read.rejections.first?.field == "Avg")
        #expect(read.rejections.first?.json.contains(#""Min":51,"Avg":"high","Max":77"#) == true)
    }

    // MARK: - Blood pressures

    @Test("a point of a blood pressure is a correlation with two members")
    func bloodPressure() throws {
        let read = try AppExport.metric(
            "blood_pressure", "mmHg",
            #"""
            {"date":"2026-03-01 07:31:12 +0100","systolic":121,"diastolic":78.5,
             "source":"Cuff"}
            """#)
        #expect(read.recordCount == 1)
        #expect(
            read.samples.map(\.type) == [
                "bloodPressure", "bloodPressureSystolic", "bloodPressureDiastolic",
            ])
        #expect(read.samples.map(\.parent) == [nil, 0, 0])
        #expect(read.samples.first?.value.isNaN == true)
        #expect(read.samples.dropFirst().map(\.value) == [121, 78.5])
        #expect(read.samples.map(\.unit) == [nil, "mmHg", "mmHg"])
        for sample in read.samples {
            #expect(sample.start == AppExport.utc(2026, 3, 1, 6, 31, 12))
            #expect(sample.end == sample.start)
            #expect(sample.source.name == "Cuff")
            #expect(sample.identity == .point)
            #expect(sample.index == 0)
        }
    }

    @Test("buckets of a blood pressure are two averages, and half of one is rejected")
    func bloodPressureBuckets() throws {
        let read = try AppExport.metric(
            "blood_pressure", "mmHg",
            #"""
            {"date":"2026-03-01","systolic":121,"diastolic":78.5},
            {"date":"2026-03-02","systolic":122},{"date":"2026-03-03","diastolic":79},
            {"date":"2026-03-04","pressure":80},{"date":"2026-03-05","systolic":{},"diastolic":81}
            """#, aggregation: "Days")
        #expect(read.totals.map(\.type) == [104, 103])
        #expect(read.totals.map(\.value) == [121, 78.5])
        #expect(read.totals.map(\.statistic) == [.average, .average])
        #expect(read.totals.map(\.unit) == ["mmHg", "mmHg"])
        #expect(read.rejections.map(\.reason) == [.value, .value, .value])
        #expect(read.rejections.map(\.field) == ["diastolic", "systolic", "systolic"])
        #expect(read.rejections.map(\.index) == [1, 2, 4])
        #expect(read.unknown.map(\.name) == ["blood_pressure shape"])
        #expect(read.unknown.first?.json.contains(#""pressure":80"#) == true)
    }
}

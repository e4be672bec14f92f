import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

/// A type and unit of the SDK, and what they become.
private struct UnitCase: Sendable, CustomTestStringConvertible {
    let type: String
    let unit: String
    let sent: Double
    let value: Double
    let symbol: String

    init(_ type: String, _ unit: String, _ sent: Double, _ value: Double, _ symbol: String) {
        self.type = type
        self.unit = unit
        self.sent = sent
        self.value = value
        self.symbol = symbol
    }

    var testDescription: String { type }
}

@Suite struct OpenWearablesRecordTests {
    @Test("a record of version 0.13 is read with each of its keys")
    func version13() throws {
        let read = try SDKRequest.read(
            records: #"""
                {"id":"\#(SDKRequest.id)","type":"HKQuantityTypeIdentifierStepCount",
                 \#(SDKRequest.times),"zoneOffset":"+02:00","parentId":null,
                 "source":{"appId":"com.apple.health.1234","name":"Sam’s Watch","deviceId":null,
                  "deviceName":"Apple Watch","deviceManufacturer":"Apple Inc.",
                  "deviceModel":"Watch6,2","deviceType":"watch","recordingMethod":null,
                  "deviceHardwareVersion":"Watch6,1","deviceSoftwareVersion":"11.4",
                  "operatingSystemVersion":{"majorVersion":11,"minorVersion":4,"patchVersion":2}},
                 "value":118,"unit":"count",
                 "metadata":{"HKWasUserEntered":"0","HKMetadataKeySyncVersion":"7","Note":"x",
                  "HKMetadataKeyHeartRateMotionContext":"2",
                  "HKHeartRateEventThreshold":"5 count/min",
                  "HKDateOfEarliestDataUsedForEstimate":"2026-02-01 08:15:00 +0000","Empty":null}}
                """#)
        let sample = try #require(read.samples.first)
        #expect(read.counts == [1, 0, 0, 0])
        #expect(sample.type == "stepCount" && sample.identity == .healthKit(SDKRequest.uuid))
        #expect(sample.start == SDKRequest.start && sample.end == SDKRequest.end)
        #expect(sample.value == 118 && sample.unit == "count" && sample.index == 0)
        #expect(sample.source.name == "Sam’s Watch")
        #expect(sample.source.bundleIdentifier == "com.apple.health.1234")
        #expect(
            sample.origin.device
                == Device(
                    name: "Apple Watch", manufacturer: "Apple Inc.", hardwareVersion: "Watch6,1",
                    softwareVersion: "11.4"))
        #expect(sample.origin.productType == "Watch6,2")
        #expect(sample.origin.operatingSystemVersion == "11.4.2")
        #expect(sample.origin.version == nil)
        #expect(
            sample.metadata == [
                "openwearables.zoneOffset": .string("+02:00"), "HKWasUserEntered": .number(0),
                "HKMetadataKeySyncVersion": .number(7), "Note": .string("x"),
                "HKMetadataKeyHeartRateMotionContext": .number(2),
                "HKHeartRateEventThreshold": .quantity(5, unit: "count/min"),
                "HKDateOfEarliestDataUsedForEstimate": .date(SDKRequest.start - 28 * 86_400),
            ])
    }

    @Test(
        "a record of version 0.6 is read, without names and zones, whatever the order of its keys")
    func version6() throws {
        let read = try CollectedIntake(
            .openWearables,
            #"""
            {"data":{"sleep":[],"workouts":[],"records":[
              {"unit":"bpm","metadata":null,"value":61.5,"zoneOffset":null,
               "source":{"deviceModel":"iPhone14,2","appId":"com.example.belt","deviceName":null,
                "deviceManufacturer":null,"deviceHardwareVersion":null,
                "deviceSoftwareVersion":null,"deviceType":"phone","deviceId":null,
                "operatingSystemVersion":{"patchVersion":0,"minorVersion":1,"majorVersion":17}},
               "endDate":"2026-03-01T08:16:30Z","type":"HKQuantityTypeIdentifierHeartRate",
               "startDate":"2026-03-01T08:15:00Z",
               "id":"5b1f0a6c-0000-4000-8000-00000000000a","parentId":null}]},
             "syncTimestamp":"2026-03-01T08:20:00Z","sdkVersion":"0.6.0","provider":"Apple"}
            """#)
        let sample = try #require(read.samples.first)
        #expect(sample.type == "heartRate" && sample.identity == .healthKit(SDKRequest.uuid))
        #expect(sample.value == 61.5 && sample.unit == "count/min")
        #expect(sample.start == SDKRequest.start && sample.end == SDKRequest.end)
        #expect(sample.source.name == "" && sample.source.bundleIdentifier == "com.example.belt")
        // The model is that of the phone. It says nothing of the device that measured.
        #expect(sample.origin.device == nil)
        #expect(sample.origin.productType == "iPhone14,2")
        #expect(sample.origin.operatingSystemVersion == "17.1.0")
        #expect(sample.metadata.isEmpty)
    }

    private static let quantity = "HKQuantityTypeIdentifier"

    private static let cases = [
        UnitCase("StepCount", "count", 118, 118, "count"),
        UnitCase("FlightsClimbed", "count", 3, 3, "count"),
        UnitCase("HeartRate", "bpm", 61.5, 61.5, "count/min"),
        UnitCase("RestingHeartRate", "bpm", 52, 52, "count/min"),
        UnitCase("HeartRateVariabilitySDNN", "ms", 48.5, 48.5, "ms"),
        UnitCase("ActiveEnergyBurned", "Cal", 12.5, 12.5, "kcal"),
        UnitCase("BasalEnergyBurned", "Cal", 70, 70, "kcal"),
        UnitCase("DietaryEnergyConsumed", "Cal", 410, 410, "kcal"),
        UnitCase("DistanceWalkingRunning", "m", 812.25, 812.25, "m"),
        UnitCase("WalkingStepLength", "m", 0.75, 0.75, "m"),
        UnitCase("Height", "m", 1.75, 1.75, "m"),
        UnitCase("WaistCircumference", "m", 0.875, 0.875, "m"),
        UnitCase("SixMinuteWalkTestDistance", "m", 510, 510, "m"),
        UnitCase("WalkingSpeed", "m/s", 1.25, 1.25, "m/s"),
        UnitCase("WalkingAsymmetryPercentage", "%", 0.25, 0.25, "%"),
        UnitCase("WalkingDoubleSupportPercentage", "%", 0.5, 0.5, "%"),
        UnitCase("BodyFatPercentage", "%", 0.225, 0.225, "%"),
        UnitCase("OxygenSaturation", "%", 97, 0.97, "%"),
        UnitCase("OxygenSaturation", "%", 94, 0.94, "%"),
        UnitCase("OxygenSaturation", "%", 95.5, 0.955, "%"),
        UnitCase("BodyMass", "kg", 71.5, 71.5, "kg"),
        UnitCase("LeanBodyMass", "kg", 55, 55, "kg"),
        UnitCase("BodyMassIndex", "count", 22.5, 22.5, "count"),
        UnitCase("BodyTemperature", "degC", 36.5, 36.5, "degC"),
        UnitCase("RespiratoryRate", "breaths/min", 14.5, 14.5, "count/min"),
        UnitCase("BloodGlucose", "mg/dL", 101, 101, "mg/dL"),
        UnitCase("InsulinDelivery", "IU", 4.5, 4.5, "IU"),
        UnitCase("BloodPressureSystolic", "mmHg", 121, 121, "mmHg"),
        UnitCase("BloodPressureDiastolic", "mmHg", 78, 78, "mmHg"),
        UnitCase("VO2Max", "mL/kg/min", 45.5, 45.5, "mL/kg*min"),
        UnitCase("DietaryCarbohydrates", "g", 60, 60, "g"),
        UnitCase("DietaryProtein", "g", 25, 25, "g"),
        UnitCase("DietaryFatTotal", "g", 18, 18, "g"),
        UnitCase("DietaryWater", "L", 0.25, 0.25, "L"),
    ]

    @Test("each quantity is read in the unit of the SDK", arguments: cases)
    fileprivate func units(unit: UnitCase) throws {
        let read = try SDKRequest.record(
            Self.quantity + unit.type, "\(unit.sent)", #""\#(unit.unit)""#)
        let sample = try #require(read.samples.first)
        #expect(sample.value == unit.value && sample.unit == unit.symbol)
        #expect(
            Catalogue.type(named: sample.type)?.identifier == Self.quantity + unit.type)
    }

    @Test("categories are integers without a unit")
    func categories() throws {
        for (type, value) in [
            ("MindfulSession", 0.0), ("MenstrualFlow", 3), ("CervicalMucusQuality", 5),
            ("OvulationTestResult", 2), ("SexualActivity", 0),
        ] {
            let read = try SDKRequest.record("HKCategoryTypeIdentifier" + type, "\(value)")
            let sample = try #require(read.samples.first)
            #expect(sample.value == value && sample.unit == nil)
            #expect(sample.identity == .healthKit(SDKRequest.uuid))
        }
    }

    @Test("the two numbers of a blood pressure are two samples")
    func bloodPressure() throws {
        let read = try SDKRequest.read(
            records: ["Systolic", "Diastolic"].enumerated().map {
                #"""
                {"id":"5B1F0A6C-0000-4000-8000-00000000000\#($0.offset)",\#(SDKRequest.times),
                 "type":"HKQuantityTypeIdentifierBloodPressure\#($0.element)",
                 "value":\#(120 - $0.offset * 40),"unit":"mmHg"}
                """#
            }.joined(separator: ","))
        #expect(read.samples.map(\.type) == ["bloodPressureSystolic", "bloodPressureDiastolic"])
        #expect(read.samples.map(\.value) == [120, 80])
        #expect(read.samples.map(\.parent) == [nil, nil])
    }

    // MARK: - Invalid records

    @Test(
        "values that are no numbers reject the record",
        arguments: [
            "null", #""many""#, #""NaN""#, "1e400", "{}", "[1]", "true",
        ])
    func invalidValues(value: String) throws {
        for (type, unit) in [
            ("HKQuantityTypeIdentifierStepCount", #""count""#),
            ("HKCategoryTypeIdentifierMindfulSession", "null"),
        ] {
            let read = try SDKRequest.record(type, value, unit)
            #expect(read.counts == [0, 0, 0, 1])
            #expect(read.rejections.first?.reason == .value)
            #expect(read.rejections.first?.field == "value")
            #expect(read.rejections.first?.identifier == SDKRequest.id)
        }
        let fraction = try SDKRequest.record("HKCategoryTypeIdentifierMindfulSession", "0.5")
        #expect(fraction.rejections.map(\.reason) == [.value])
    }

    @Test(
        "units that are unknown, missing or of another dimension reject the record",
        arguments: [
            ("StepCount", "null"), ("StepCount", #""kg""#), ("StepCount", #""%""#),
            ("StepCount", "7"),
            ("BodyMass", #""stone""#), ("ActiveEnergyBurned", #""cal""#),
            ("OxygenSaturation", #""count""#), ("HeartRate", "\"\""),
        ])
    func invalidUnits(type: String, unit: String) throws {
        let read = try SDKRequest.record(Self.quantity + type, "97", unit)
        #expect(read.counts == [0, 0, 0, 1])
        #expect(read.rejections.first?.reason == .unit)
        #expect(read.rejections.first?.field == "unit")
        #expect(read.rejections.first?.json.contains(#""value":97"#) == true)
    }

    @Test(
        "percentages of another scale than the SDK's are rejected",
        arguments: [
            ("OxygenSaturation", 0.97), ("OxygenSaturation", 101), ("BodyFatPercentage", 22.5),
            ("WalkingAsymmetryPercentage", 3), ("WalkingDoubleSupportPercentage", 28),
        ])
    func ranges(type: String, value: Double) throws {
        let read = try SDKRequest.record(Self.quantity + type, "\(value)", #""%""#)
        #expect(read.counts == [0, 0, 0, 1])
        #expect(read.rejections.first?.reason == .range)
    }

    @Test("types that are not known, or can't be stored, are kept with their name")
    func unknownTypes() throws {
        for type in ["HKQuantityTypeIdentifierMoonlight", "STEP_COUNT", "HKDataTypeStateOfMind"] {
            let read = try SDKRequest.record(type, "5", #""lx""#)
            #expect(read.counts == [0, 0, 1, 0])
            #expect(read.unknown.first?.name == type)
            #expect(read.unknown.first?.json.contains(#""value":5,"unit":"lx""#) == true)
        }
        let nameless = try SDKRequest.read(
            records: #"{"id":"\#(SDKRequest.id)",\#(SDKRequest.times),"type":7,"value":6}"#)
        #expect(nameless.unknown.map(\.name) == ["type"])
        #expect(nameless.unknown.first?.json.contains(#""type":7,"value":6"#) == true)
    }

    @Test("records without a valid identifier or time are rejected")
    func invalidFrames() throws {
        let rest = #""type":"HKQuantityTypeIdentifierStepCount","value":1,"unit":"count""#
        let id = #""id":"\#(SDKRequest.id)""#
        let start = #""startDate":"2026-03-01T08:15:00Z""#
        let read = try SDKRequest.read(
            records: [
                #"{\#(SDKRequest.times),\#(rest)}"#, #"{"id":"17",\#(SDKRequest.times),\#(rest)}"#,
                #"{"id":17,\#(SDKRequest.times),\#(rest)}"#, #"{\#(id),\#(start),\#(rest)}"#,
                #"{\#(id),\#(start),"endDate":"later",\#(rest)}"#,
                #"{\#(id),\#(start),"endDate":1772352990,\#(rest)}"#,
                #"{\#(id),"startDate":"2026-02-30T00:00:00Z","endDate":"2026-03-01",\#(rest)}"#,
                #"{\#(id),\#(start),"endDate":"2026-03-01T08:14:59Z",\#(rest)}"#,
                "5", "null", "[]", #"{\#(id),\#(start),"endDate":"2026-03-01T08:15:00Z",\#(rest)}"#,
            ].joined(separator: ","))
        #expect(
            read.rejections.map(\.reason) == [
                .identifier, .identifier, .identifier, .date, .date, .date, .date, .endBeforeStart,
                .type, .type, .type,
            ])
        #expect(
            read.rejections.map(\.field) == [
                "id", "id", "id", "endDate", "endDate", "endDate", "startDate", "endDate",
                "records",
                "records", "records",
            ])
        #expect(
            read.rejections.map(\.identifier) == [
                nil, "17", nil, SDKRequest.id, SDKRequest.id, SDKRequest.id, SDKRequest.id,
                SDKRequest.id, nil, nil, nil,
            ])
        #expect(read.rejections.map(\.index) == Array(0...10))
        #expect(read.samples.map(\.value) == [1])
        #expect(read.samples.map(\.end) == [SDKRequest.start])
    }

    @Test("of keys with one name, the last one counts")
    func duplicateKeys() throws {
        let read = try SDKRequest.read(
            records: #"""
                {"value":1,"value":2,"id":"x","id":"\#(SDKRequest.id)",\#(SDKRequest.times),
                 "type":"HKQuantityTypeIdentifierStepCount","unit":"kg","unit":"count"}
                """#)
        #expect(read.samples.map(\.value) == [2])
        #expect(read.samples.map(\.unit) == ["count"])
        #expect(read.samples.map(\.identity) == [.healthKit(SDKRequest.uuid)])
    }

    @Test("a source of another shape gives a sample without one")
    func otherSources() throws {
        for source in ["null", #""Watch""#, "[]", #"{"appId":5,"deviceName":"","name":null}"#] {
            let read = try SDKRequest.read(
                records: #"""
                    {"id":"\#(SDKRequest.id)",\#(SDKRequest.times),"source":\#(source),"value":4,
                     "type":"HKQuantityTypeIdentifierStepCount","unit":"count"}
                    """#)
            let sample = try #require(read.samples.first)
            #expect(sample.value == 4)
            #expect(sample.source.name == "" && sample.source.bundleIdentifier == "")
            #expect(sample.origin.device == nil && sample.origin.productType == nil)
            #expect(sample.origin.operatingSystemVersion == nil)
        }
    }
}

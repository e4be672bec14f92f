import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthAutoExportHeartTests {
    private static let times =
        #""start":"2026-03-01 10:00:00 +0100","end":"2026-03-01 10:00:30 +0100""#
    private static let start = AppExport.utc(2026, 3, 1, 9)

    /// The numbers of the only electrocardiogram, and its metadata.
    private func recording(
        _ fields: String
    ) throws -> (numbers: [String: [Double]], metadata: Metadata) {
        let read = try AppExport.list("ecg", #"{\#(Self.times),\#(fields)}"#)
        let sample = try #require(read.samples.first)
        #expect(read.counts == [1, 0, 0, 0])
        guard case .numbers(let numbers)? = sample.detail else { return ([:], sample.metadata) }
        return (numbers, sample.metadata)
    }

    @Test("an electrocardiogram is read with its voltages and their times")
    func electrocardiogram() throws {
        // 1772355600 is the start in Unix seconds.
        let read = try AppExport.list(
            "ecg",
            #"""
            {\#(Self.times),"classification":"Sinus Rhythm","severity":"none",
             "averageHeartRate":63,"numberOfVoltageMeasurements":3,"samplingFrequency":512,
             "source":"Watch","voltageMeasurements":[
               {"date":1772355600,"voltage":-12.5,"units":"mcV"},
               {"date":"1772355600.25","voltage":"7","units":"µV"},
               {"date":1772355600.5,"voltage":0.002,"units":"mV"}]}
            """#)
        let sample = try #require(read.samples.first)
        #expect(read.counts == [1, 0, 0, 0])
        #expect(sample.type == "electrocardiogram" && sample.identity == .content)
        #expect(sample.start == Self.start && sample.end == Self.start + 30)
        #expect(sample.source.name == "Watch" && sample.value.isNaN)
        #expect(
            sample.detail
                == .numbers([
                    "classification": [1], "averageHeartRate": [63], "samplingFrequency": [512],
                    "numberOfVoltageMeasurements": [3], "voltages": [-12.5, 7, 2],
                    "offsets": [0, 0.25, 0.5],
                ]))
        #expect(
            sample.metadata == [
                "healthautoexport.classification": .string("Sinus Rhythm"),
                "healthautoexport.severity": .string("none"),
                "healthautoexport.epoch": .string("1970"),
            ])
    }

    @Test("the reference date of voltages is derived from the times of the electrocardiogram")
    func epochs() throws {
        func read(_ dates: String...) throws -> (offsets: [Double]?, epoch: MetadataValue?) {
            let points = dates.map { #"{"date":\#($0),"voltage":1,"units":"mcV"}"# }
            let read = try recording(
                #""voltageMeasurements":[\#(points.joined(separator: ","))]"#)
            #expect(read.numbers["voltages"] == dates.map { _ in 1.0 })
            return (read.numbers["offsets"], read.metadata["healthautoexport.epoch"])
        }
        let unix = try read("1772355601", "1772355602.5")
        #expect(unix.offsets == [1, 2.5] && unix.epoch == .string("1970"))
        let reference = try read("794048400", "794048403")
        #expect(reference.offsets == [0, 3] && reference.epoch == .string("2001"))
        let unknown = try read("1000", "1000.5", "1002")
        #expect(unknown.offsets == [0, 0.5, 2] && unknown.epoch == .string("unknown"))
        let text = try read(#""2026-03-01 10:00:04 +0100""#)
        #expect(text.offsets == [4] && text.epoch == .string("1970"))
        // A day before the start, and one second more.
        #expect(try read("1772269200").epoch == .string("1970"))
        #expect(try read("1772269199").epoch == .string("unknown"))
    }

    @Test("English classifications that HealthKit has are numbers too")
    func classifications() throws {
        for (word, number) in [
            ("Atrial Fibrillation", 2.0), ("Inconclusive Low Heart Rate", 3),
            ("Inconclusive High Heart Rate", 4), ("Inconclusive Poor Recording", 5),
            ("Unrecognized", 100),
        ] {
            let read = try recording(#""classification":"\#(word)""#)
            #expect(read.numbers == ["classification": [number]])
            #expect(read.metadata == ["healthautoexport.classification": .string(word)])
        }
        for word in ["High Heart Rate", "Inconclusive", "Sinusrhythmus "] {
            let read = try recording(
                #""classification":"\#(word)","averageHeartRate":0,"samplingFrequency":"fast""#)
            #expect(read.numbers.isEmpty)
            #expect(read.metadata == ["healthautoexport.classification": .string(word)])
        }
    }

    @Test("voltages that are invalid are left out and counted, and an unknown unit rejects all")
    func invalidVoltages() throws {
        let read = try recording(
            #"""
            "averageHeartRate":{"qty":64,"units":"bpm"},
            "voltageMeasurements":[{"date":1772355600,"voltage":1e400,"units":"mcV"},5,
              {"voltage":1,"units":"mcV"},{"date":"soon","voltage":2,"units":"mcV"},
              {"date":1772355601,"voltage":3,"units":"mcV"}]
            """#)
        #expect(
            read.numbers == ["averageHeartRate": [64], "voltages": [3], "offsets": [1]])
        #expect(
            read.metadata == [
                "healthautoexport.voltagesLeftOut": .number(4),
                "healthautoexport.epoch": .string("1970"),
            ])
        for units in [#","units":"bpm""#, #","units":"""#, #","units":5"#, ""] {
            let rejected = try AppExport.list(
                "ecg",
                #"{\#(Self.times),"voltageMeasurements":[{"date":1,"voltage":4\#(units)}]}"#)
            #expect(rejected.rejections.map(\.reason) == [.unit])
            #expect(rejected.rejections.map(\.field) == ["voltageMeasurements"])
        }
    }

    @Test("electrocardiograms without valid times are rejected")
    func invalidTimes() throws {
        let read = try AppExport.list(
            "ecg",
            #"""
            {"end":"2026-03-01 10:00:30 +0100"},{"start":"2026-03-01 10:00:30 +0100","end":"x"},
            {"start":"2026-03-01 10:00:30 +0100","end":"2026-03-01 10:00:29 +0100"}
            """#)
        #expect(read.rejections.map(\.reason) == [.date, .date, .endBeforeStart])
        #expect(read.rejections.map(\.field) == ["start", "end", "end"])
    }

    // MARK: - Notifications

    @Test("notifications are events with their threshold, source and series")
    func notifications() throws {
        let read = try AppExport.list(
            "heartRateNotifications",
            #"""
            {"heartNotification":"low_heart_rate_notification",\#(Self.times),"threshold":40,
             "source":"Watch","heartRateData":[{"date":1772355600,"qty":38,"units":"bpm"}]},
            {"heartNotification":"HKCategoryTypeIdentifierHighHeartRateEvent",\#(Self.times),
             "threshold":{"qty":120,"units":"bpm"},
             "source":{"name":"Sam’s Watch","identifier":"com.apple.health.ABC"},
             "heartRate":[{"hr":124,"units":"bpm","timestamp":{"start":"a","end":"b",
               "interval":{"duration":5,"units":"s"}}}],
             "heartRateVariation":[{"hrv":21.5,"units":"ms","timestamp":"a"}]},
            {"heartNotification":"irregular_heart_rate_notifications",\#(Self.times),
             "metadata":{"HKHeartRateEventThreshold":"50 count/min"}}
            """#)
        #expect(read.counts == [3, 0, 0, 0])
        #expect(
            read.samples.map(\.type) == [
                "lowHeartRateEvent", "highHeartRateEvent", "irregularHeartRhythmEvent",
            ])
        for sample in read.samples {
            #expect(sample.value == 0 && sample.identity == .content)
            #expect(sample.start == Self.start && sample.end == Self.start + 30)
        }
        #expect(read.samples.map(\.source.name) == ["Watch", "Sam’s Watch", ""])
        #expect(read.samples.map(\.source.bundleIdentifier) == ["", "com.apple.health.ABC", ""])
        #expect(
            read.samples.map(\.metadata) == [
                [
                    "healthautoexport.threshold": .number(40),
                    "healthautoexport.heartRateData": .string(
                        #"[{"date":1772355600,"qty":38,"units":"bpm"}]"#),
                ],
                [
                    "HKHeartRateEventThreshold": .quantity(120, unit: "count/min"),
                    "healthautoexport.heartRate": .string(
                        #"""
                        [{"hr":124,"units":"bpm","timestamp":{"start":"a","end":"b",\#
                        "interval":{"duration":5,"units":"s"}}}]
                        """#),
                    "healthautoexport.heartRateVariation": .string(
                        #"[{"hrv":21.5,"units":"ms","timestamp":"a"}]"#),
                ],
                ["HKHeartRateEventThreshold": .quantity(50, unit: "count/min")],
            ])
    }

    @Test("notifications of an unknown kind are kept, and those without valid times rejected")
    func otherNotifications() throws {
        let read = try AppExport.list(
            "heartRateNotifications",
            #"""
            {"threshold":40,"heartRate":[]},{"heartNotification":"loud_heart",\#(Self.times)},
            {"heartNotification":7,\#(Self.times)},
            {"heartNotification":"high_heart_rate_notification","end":"2026-03-01"}
            """#)
        #expect(read.unknown.map(\.name) == Array(repeating: "heartRateNotifications", count: 3))
        #expect(read.unknown.first?.json == #"{"threshold":40,"heartRate":[]}"#)
        #expect(read.rejections.map(\.reason) == [.date])
        #expect(read.rejections.map(\.index) == [3])
    }
}

import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthAutoExportCategoryTests {
    private static let date = #""date":"2026-03-01 07:31:12 +0100","source":"Watch""#
    private static let start = AppExport.utc(2026, 3, 1, 6, 31, 12)

    @Test("a point of a session or an event with a duration is a sample with an end")
    func sessions() throws {
        for (name, units, qty, type, seconds) in [
            ("mindful_minutes", "min", 12.5, "mindfulSession", 750.0),
            ("handwashing", "s", 21, "handwashingEvent", 21),
            ("toothbrushing", "min", 2, "toothbrushingEvent", 120),
        ] {
            let read = try AppExport.metric(
                name, units, #"{\#(Self.date),"qty":\#(qty),"value":"Complete"}"#)
            let sample = try #require(read.samples.first)
            #expect(read.counts == [1, 0, 0, 0])
            #expect(sample.type == type)
            #expect(sample.value == 0 && sample.unit == nil)
            #expect(sample.start == Self.start && sample.end == Self.start + seconds)
            #expect(sample.source.name == "Watch")
            #expect(sample.identity == .content)
            #expect(
                sample.metadata
                    == AppExport.verdict(
                        "header", ["healthautoexport.value": .string("Complete")]))
        }
    }

    @Test("buckets of sessions are durations")
    func sessionBuckets() throws {
        let read = try AppExport.metric(
            "handwashing", "s", #"{"date":"2026-03-01","qty":95,"value":"Incomplete"}"#,
            aggregation: "Days")
        #expect(
            read.totals == [
                ExternalTotal(
                    type: 1011, statistic: .duration, start: AppExport.utc(2026, 3, 1),
                    end: AppExport.utc(2026, 3, 2), value: 95, unit: "s", index: 0)
            ])
    }

    @Test(
        "durations below zero or of more than a month are rejected",
        arguments: [-1.0, 50_000, 1e300])
    func invalidDurations(minutes: Double) throws {
        let read = try AppExport.metric(
            "mindful_minutes", "min", #"{\#(Self.date),"qty":\#(minutes)}"#)
        #expect(read.counts == [0, 0, 0, 1])
        #expect(read.rejections.first?.reason == .range)
    }

    @Test("one event of a point is a sample, and other counts are totals")
    func events() throws {
        for (name, type, code) in [
            ("apple_stand_hour", "appleStandHour", Int32(1001)),
            ("high_heart_rate_notifications", "highHeartRateEvent", 1004),
            ("low_heart_rate_notifications", "lowHeartRateEvent", 1008),
            ("irregular_heart_rate_notifications", "irregularHeartRhythmEvent", 1006),
        ] {
            let read = try AppExport.metric(
                name, "count", #"{\#(Self.date),"qty":1},{\#(Self.date),"qty":3}"#)
            #expect(read.samples.map(\.type) == [type])
            #expect(read.samples.map(\.value) == [0])
            #expect(read.samples.map(\.start) == [Self.start])
            #expect(read.samples.map(\.end) == [Self.start])
            #expect(read.samples.map(\.identity) == [.point])
            #expect(
                read.totals == [
                    ExternalTotal(
                        type: code, statistic: .count, start: Self.start, end: Self.start, value: 3,
                        unit: "count", source: "Watch", index: 1)
                ])
        }
        let hours = try AppExport.metric(
            "apple_stand_hour", "hours", #"{"date":"2026-03-01","qty":11}"#, aggregation: "Days")
        #expect(hours.totals.map(\.value) == [11])
        #expect(hours.totals.map(\.unit) == ["count"])
        let invalid = try AppExport.metric(
            "apple_stand_hour", "count", #"{\#(Self.date),"qty":[]}"#)
        #expect(invalid.rejections.map(\.reason) == [.value])
    }

    @Test("sexual activities are counted by the use of protection")
    func sexualActivity() throws {
        let read = try AppExport.metric(
            "sexual_activity", "count",
            #"""
            {\#(Self.date),"Unspecified":1,"Protection Used":0,"Protection Not Used":0},
            {\#(Self.date),"Protection Used":1},{\#(Self.date),"Protection Not Used":1},
            {\#(Self.date),"Unspecified":1,"Protection Used":2},{\#(Self.date),"Unspecified":"x"},
            {\#(Self.date),"qty":1},{\#(Self.date),"times":4}
            """#)
        let key = "HKSexualActivityProtectionUsed"
        #expect(read.samples.map(\.type) == Array(repeating: "sexualActivity", count: 4))
        #expect(read.samples.map(\.value) == [0, 0, 0, 0])
        #expect(read.samples.map(\.start) == Array(repeating: Self.start, count: 4))
        #expect(
            read.samples.map(\.metadata) == [
                AppExport.verdict("header"), AppExport.verdict("header", [key: .number(1)]),
                AppExport.verdict("header", [key: .number(0)]), AppExport.verdict("header"),
            ])
        #expect(read.samples.map(\.index) == [0, 1, 2, 5])
        #expect(read.totals.map(\.value) == [3])
        #expect(read.totals.map(\.statistic) == [.count])
        #expect(read.totals.map(\.index) == [3])
        #expect(read.rejections.map(\.index) == [4])
        #expect(read.rejections.map(\.field) == ["Unspecified"])
        #expect(read.unknown.map(\.name) == ["sexual_activity shape"])
        #expect(read.unknown.first?.json.contains(#""times":4"#) == true)
    }
}

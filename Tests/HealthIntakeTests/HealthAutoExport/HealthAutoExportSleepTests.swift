import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthAutoExportSleepTests {
    private func sleep(
        _ data: String, units: String = "hr", automation: String? = nil
    ) throws -> CollectedIntake {
        try AppExport.metric(
            "sleep_analysis", units, data, aggregation: "Days", automation: automation)
    }

    @Test("segments with a start and an end are samples, whatever the header says")
    func segments() throws {
        let words = ["Core", "REM", "Deep", "Awake", "In Bed", "Asleep", "Unspecified", "core"]
        let read = try sleep(
            words.enumerated().map {
                #"""
                {"startDate":"2026-03-01 0\#($0.offset):00:00 +0100",
                 "endDate":"2026-03-01 0\#($0.offset):30:15 +0100","qty":0.504,
                 "value":"\#($0.element)","source":"Watch"}
                """#
            }.joined(separator: ","))
        #expect(read.counts == [8, 0, 0, 0])
        #expect(read.samples.map(\.value) == [3, 5, 4, 2, 0, 1, 1, 3])
        for (place, sample) in read.samples.enumerated() {
            #expect(sample.type == "sleepAnalysis")
            #expect(sample.start == AppExport.utc(2026, 2, 28, 23 + place))
            #expect(sample.end == AppExport.utc(2026, 2, 28, 23 + place, 30, 15))
            #expect(sample.source.name == "Watch")
            #expect(sample.identity == .content)
            #expect(sample.index == place)
            #expect(sample.unit == nil && sample.metadata.isEmpty)
        }
    }

    @Test("segments that are invalid are rejected, and unknown words are kept")
    func invalidSegments() throws {
        let start = #""startDate":"2026-03-01 01:00:00 +0100""#
        let end = #""endDate":"2026-03-01 02:00:00 +0100""#
        let read = try sleep(
            #"""
            {\#(start),"value":"Core"},{\#(end),"value":"Core"},
            {\#(start),"endDate":"2026-03-01 00:59:59 +0100","value":"Core"},
            {\#(start),"endDate":"soon","value":"Core"},{\#(start),\#(end),"value":"Tiefschlaf"},
            {\#(start),\#(end),"value":4},{\#(start),\#(end)},
            {\#(start),\#(end),"value":"Core","source":"iPhone|Watch"}
            """#)
        #expect(read.samples.isEmpty)
        #expect(read.rejections.map(\.reason) == [.date, .date, .endBeforeStart, .date])
        #expect(read.rejections.map(\.field) == ["end", "start", "end", "end"])
        #expect(read.rejections.map(\.index) == [0, 1, 2, 3])
        #expect(
            read.unknown.map(\.name) == [
                "sleep_analysis value", "sleep_analysis value", "sleep_analysis value",
                "sleep_analysis of several sources",
            ])
        #expect(read.unknown.map(\.index) == [4, 5, 6, 7])
        #expect(read.unknown[1].json.contains(#""value":4"#))
    }

    @Test("the sums of a night are totals of the day of waking, one series for each")
    func night() throws {
        let data = #"""
            {"date":"2026-03-01 00:00:00 +0100","totalSleep":7.25,"asleep":0,"core":4.5,
             "deep":1.25,"rem":1.5,"awake":0.25,"inBed":7.75,
             "sleepStart":"2026-02-28 23:10:00 +0100","sleepEnd":"2026-03-01 06:40:00 +0100",
             "inBedStart":"2026-02-28 23:00:00 +0100","inBedEnd":"2026-03-01 06:45:00 +0100",
             "source":"iPhone|Watch"}
            """#
        let read = try sleep(data, automation: "A1")
        #expect(read.counts == [0, 7, 0, 0])
        #expect(read.recordCount == 1)
        #expect(
            read.totals.map(\.series) == [
                "A1/totalSleep", "A1/asleep", "A1/core", "A1/deep", "A1/rem", "A1/awake",
                "A1/inBed",
            ])
        #expect(read.totals.map(\.value) == [7.25, 0, 4.5, 1.25, 1.5, 0.25, 7.75])
        for total in read.totals {
            #expect(total.type == 1030)
            #expect(total.statistic == .duration)
            #expect(total.start == AppExport.utc(2026, 2, 28, 23))
            #expect(total.end == AppExport.utc(2026, 3, 1, 23))
            #expect(total.unit == "hr" && total.source == "" && total.index == 0)
        }
        #expect(try sleep(data).totals.first?.series == "totalSleep")
    }

    @Test("old nights have two sums, and the end of the sleep is the day, not the date")
    func oldNight() throws {
        let read = try sleep(
            #"""
            {"date":"2026-02-28","asleep":6.5,"inBed":8,"sleepSource":"Watch",
             "inBedSource":"iPhone",
             "sleepStart":"2026-02-28 23:10:00 -0500","sleepEnd":"2026-03-01 06:40:00 -0500",
             "inBedStart":"2026-02-28 22:50:00 -0500","inBedEnd":"2026-03-01 06:50:00 -0500"}
            """#)
        #expect(read.totals.map(\.series) == ["asleep", "inBed"])
        #expect(read.totals.map(\.value) == [6.5, 8])
        #expect(
            read.totals.map(\.start) == [
                AppExport.utc(2026, 3, 1, 5), AppExport.utc(2026, 3, 1, 5),
            ])
        #expect(
            read.totals.map(\.end) == [
                AppExport.utc(2026, 3, 2, 5), AppExport.utc(2026, 3, 2, 5),
            ])
    }

    @Test("without times, a night is that of its date, or of the end in bed")
    func nightWithoutTimes() throws {
        let read = try sleep(
            #"""
            {"date":"2026-03-01","core":4,"sleepEnd":""},
            {"date":"2026-02-28","core":5,"inBedEnd":"2026-03-01 07:00:00 +0000"},
            {"core":6},{"date":"2026-03-01","Asleep":7,"InBed":8}
            """#)
        #expect(read.totals.map(\.value) == [4, 5, 7, 8])
        #expect(read.totals.map(\.series) == ["core", "core", "asleep", "inBed"])
        #expect(read.totals.map(\.start) == Array(repeating: AppExport.utc(2026, 3, 1), count: 4))
        #expect(read.rejections.map(\.reason) == [.date])
        #expect(read.rejections.first?.json.contains(#""core":6"#) == true)
    }

    @Test("very old sums with a word are totals of their kind at their date")
    func wordAndSum() throws {
        let read = try sleep(
            #"""
            {"date":"2026-03-01 01:00:00 +0100","qty":1.5,"value":"Asleep"},
            {"date":"2026-03-01 03:00:00 +0100","qty":0.5,"value":"In Bed"},
            {"date":"2026-03-01 04:00:00 +0100","qty":2.5,"value":"Nap"},
            {"date":"2026-03-01 05:00:00 +0100","qty":3.5}
            """#)
        #expect(read.totals.map(\.series) == ["asleep", "inBed"])
        #expect(read.totals.map(\.value) == [1.5, 0.5])
        #expect(
            read.totals.map(\.start) == [
                AppExport.utc(2026, 3, 1), AppExport.utc(2026, 3, 1, 2),
            ])
        #expect(read.totals.map(\.end) == read.totals.map(\.start))
        #expect(read.unknown.map(\.name) == ["sleep_analysis shape", "sleep_analysis shape"])
        #expect(read.unknown[0].json.contains("2.5") && read.unknown[1].json.contains("3.5"))
    }

    @Test("sums in minutes keep their unit, and invalid nights are rejected")
    func invalidNights() throws {
        let minutes = try sleep(#"{"date":"2026-03-01","core":240}"#, units: "min")
        #expect(minutes.totals.map(\.value) == [240])
        #expect(minutes.totals.map(\.unit) == ["min"])
        let units = try sleep(#"{"date":"2026-03-01","core":240}"#, units: "kg")
        #expect(units.rejections.map(\.reason) == [.unit])
        let read = try sleep(
            #"""
            {"date":"2026-03-01","core":-1},{"date":"2026-03-01","core":"long"},
            {"date":"2026-03-01","core":1,"sleepEnd":"later"},
            {"date":"2026-03-01","core":1,"sleepStart":"2026-03-01 07:00:00 +0000",
             "sleepEnd":"2026-03-01 06:00:00 +0000"},
            {"date":"2026-03-01","core":1,"inBedStart":"2026-03-01 07:00:00 +0000",
             "inBedEnd":"2026-03-01 06:00:00 +0000"},
            {"date":{},"core":1}
            """#)
        #expect(read.totals.isEmpty)
        #expect(
            read.rejections.map(\.reason) == [
                .range, .value, .date, .endBeforeStart, .endBeforeStart, .date,
            ])
        #expect(
            read.rejections.map(\.field) == [
                "core", "core", "sleepEnd", "sleepEnd", "inBedEnd", "date",
            ])
    }
}

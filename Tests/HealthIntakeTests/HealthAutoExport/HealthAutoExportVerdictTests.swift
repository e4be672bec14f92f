import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthAutoExportVerdictTests {
    /// Data with the given dates, one step each.
    private func steps(_ dates: [String], source: String = "iPhone") -> String {
        dates.map { #"{"date":"\#($0)","qty":1,"source":"\#(source)"}"# }.joined(separator: ",")
    }

    private func verdict(
        _ dates: [String], header: String? = nil, isCount: Bool = false, qty: String = "1",
        source: String = "iPhone"
    ) throws -> HealthAutoExportVerdict {
        var evidence = HealthAutoExportEvidence()
        for date in dates {
            var reader = JSONReader(IntakeBody(#"{"qty":\#(qty),"source":"\#(source)"}"#))
            evidence.add(try reader.readValue(), date: IntakeDate.reading(date))
        }
        return evidence.verdict(header: header, isCount: isCount)
    }

    private static let hours = (1...3).map { "2026-03-01 0\($0):00:00 +0100" }

    @Test("a header with an interval takes precedence over everything else")
    func header() throws {
        let dates = ["2026-03-01 07:31:12 +0100"]
        for (word, interval) in [
            ("Seconds", HealthAutoExportInterval.second), ("Minutes", .minute), ("hours", .hour),
            ("Days", .day), (" weeks ", .week), ("Months", .month), ("Year", .year),
        ] {
            let verdict = try verdict(dates, header: word, source: "iPhone|Watch")
            #expect(verdict.kind == .bucket && verdict.reason == .header)
            #expect(verdict.interval == interval)
        }
        let other = try verdict(dates, header: "15 Minutes")
        #expect(other.kind == .point && other.reason == .betweenMinutes)
        #expect(try verdict(dates, header: "Stunden").reason == .betweenMinutes)
    }

    @Test("several sources are merged ones, although the header says that nothing is aggregated")
    func severalSources() throws {
        let alone = try verdict(
            ["2026-03-01 07:31:12 +0100"], header: "None", source: "iPhone|Watch")
        #expect(alone.kind == .bucket && alone.reason == .severalSources)
        #expect(alone.interval == nil)
        let aligned = try verdict(Self.hours, source: "iPhone|Watch")
        #expect(aligned.reason == .severalSources && aligned.interval == .hour)
    }

    @Test("a header without an interval makes points", arguments: ["None", "Default", "off"])
    func headerWithoutInterval(word: String) throws {
        let verdict = try verdict(Self.hours, header: word)
        #expect(verdict.kind == .point && verdict.reason == .header && verdict.interval == nil)
    }

    @Test("three full minutes, hours or days in the offset of the text are intervals")
    func fullIntervals() throws {
        let minutes = (1...3).map { "2026-03-01 07:0\($0):00 +0530" }
        let days = (1...3).map { "2026-03-0\($0) 00:00:00 +0545" }
        for (dates, interval) in [
            (minutes, HealthAutoExportInterval.minute), (Self.hours, .hour), (days, .day),
            (["2026-03-01", "2026-03-02", "2026-03-03"], .day),
            (days + Self.hours, .hour), (days + minutes, .minute),
        ] {
            let verdict = try verdict(dates)
            #expect(verdict.kind == .bucket && verdict.reason == .fullIntervals)
            #expect(verdict.interval == interval)
        }
        #expect(try verdict(Array(days.prefix(2))).reason == .noEvidence)
        #expect(try verdict(days + ["2026-03-01 07:31:12 +0545"]).reason == .betweenMinutes)
    }

    @Test("a count with a fraction was merged")
    func fractionalCount() throws {
        let dates = ["2026-03-01 07:31:12 +0100"]
        let steps = try verdict(dates, isCount: true, qty: "1.566")
        #expect(steps.kind == .bucket && steps.reason == .fractionalCount)
        #expect(steps.interval == nil)
        #expect(try verdict(dates, isCount: false, qty: "1.566").reason == .betweenMinutes)
        #expect(try verdict(dates, isCount: true, qty: "2.0").reason == .betweenMinutes)
    }

    @Test("one or two full minutes are unknown, as is no date")
    func unknown() throws {
        for dates in [[], ["2026-03-01 07:31:00 +0100"], Array(Self.hours.prefix(2))] {
            let verdict = try verdict(dates)
            #expect(verdict.kind == .unknown && verdict.reason == .noEvidence)
            #expect(verdict.interval == nil)
        }
    }

    // MARK: - Samples and totals

    @Test("buckets are totals over all sources, of the automation's series")
    func buckets() throws {
        let read = try AppExport.metric(
            "step_count", "count",
            steps(["2026-03-01 07:00:00 +0100", "2026-03-01 08:00:00 +0100"], source: "A|B")
                + #",{"date":"2026-03-01 09:00:00 +0100","qty":812.5,"source":"A"}"#,
            aggregation: "Hours", automation: "3F2A")
        #expect(read.counts == [0, 3, 0, 0])
        #expect(
            read.totals == [
                total(6, 7, 1, index: 0), total(7, 8, 1, index: 1), total(8, 9, 812.5, index: 2),
            ])
    }

    private func total(_ start: Int, _ end: Int, _ value: Double, index: Int) -> ExternalTotal {
        ExternalTotal(
            type: 37, statistic: .sum, start: AppExport.utc(2026, 3, 1, start),
            end: AppExport.utc(2026, 3, 1, end), value: value, unit: "count", series: "3F2A",
            index: index)
    }

    @Test("without an automation's identifier, the series is empty")
    func noAutomation() throws {
        let read = try AppExport.metric(
            "step_count", "count", steps(["2026-03-01"]), aggregation: "Days")
        #expect(read.totals.first?.series == "")
        #expect(read.totals.first?.start == AppExport.utc(2026, 3, 1))
        #expect(read.totals.first?.end == AppExport.utc(2026, 3, 2))
    }

    @Test("days, weeks, months and years end where the calendar says")
    func calendarIntervals() throws {
        let date = "2024-02-29 00:00:00 +0100"
        let start = AppExport.utc(2024, 2, 28, 23)
        for (word, end) in [
            ("Days", AppExport.utc(2024, 2, 29, 23)), ("Weeks", AppExport.utc(2024, 3, 6, 23)),
            ("Months", AppExport.utc(2024, 3, 28, 23)), ("Years", AppExport.utc(2025, 2, 27, 23)),
            ("Minutes", start + 60), ("Seconds", start + 1), ("Hours", start + 3600),
        ] {
            let read = try AppExport.metric(
                "step_count", "count", steps([date]), aggregation: word)
            #expect(read.totals.map(\.start) == [start])
            #expect(read.totals.map(\.end) == [end])
        }
        let december = try AppExport.metric(
            "step_count", "count", steps(["2025-12-31 00:00:00 +0000"]), aggregation: "Months")
        #expect(december.totals.first?.end == AppExport.utc(2026, 1, 31))
    }

    @Test("a day has 23 or 25 hours if the next one has another offset, in any order of the data")
    func daylightSaving() throws {
        let dates = [
            "2025-03-30 00:00:00 +0100", "2025-03-31 00:00:00 +0200",
            "2025-10-26 00:00:00 +0200", "2025-10-27 00:00:00 +0100",
        ]
        for order in [dates, dates.reversed()] {
            for aggregation in ["Days", nil] {
                let read = try AppExport.metric(
                    "step_count", "count", steps(order), aggregation: aggregation)
                let hours = read.totals.map { ($0.end - $0.start) / 3600 }
                #expect(hours == (order == dates ? [23, 24, 25, 24] : [24, 25, 24, 23]))
            }
        }
    }

    @Test("an end that a bucket states takes precedence over the interval")
    func statedEnd() throws {
        let read = try AppExport.metric(
            "step_count", "count",
            #"{"date":"2026-03-01T06:00:00Z","end":"2026-03-01T06:10:00Z","qty":5}"#,
            aggregation: "Hours")
        #expect(read.totals.map(\.end) == [AppExport.utc(2026, 3, 1, 6, 10)])
        #expect(read.totals.map(\.value) == [5])
    }

    @Test("averages of buckets are totals, also of discrete types")
    func discreteBuckets() throws {
        let read = try AppExport.metric(
            "weight_body_mass", "kg", #"{"date":"2026-03-01","qty":71.5,"source":"Scale"}"#,
            aggregation: "Days")
        #expect(
            read.totals == [
                ExternalTotal(
                    type: 3, statistic: .average, start: AppExport.utc(2026, 3, 1),
                    end: AppExport.utc(2026, 3, 2), value: 71.5, unit: "kg", index: 0)
            ])
    }

    @Test("amounts of unknown origin are totals without a length, readings are samples")
    func unknownData() throws {
        let read = try AppExport.metric(
            "step_count", "count",
            steps(["2026-03-01 07:31:00 +0100"]) + ","
                + steps(["2026-03-01 07:31:00 +0100"], source: "Watch"),
            aggregation: nil)
        #expect(read.totals.map(\.source) == ["iPhone", "Watch"])
        #expect(
            read.totals.map(\.start) == [
                AppExport.utc(2026, 3, 1, 6, 31), AppExport.utc(2026, 3, 1, 6, 31),
            ])
        #expect(read.totals.map(\.end) == read.totals.map(\.start))
        #expect(read.totals.map(\.statistic) == [.sum, .sum])
        let weight = try AppExport.metric(
            "weight_body_mass", "kg", #"{"date":"2026-03-01 07:31:00 +0100","qty":71.5}"#,
            aggregation: nil)
        #expect(weight.totals.isEmpty)
        #expect(weight.samples.map(\.value) == [71.5])
        #expect(weight.samples.map(\.identity) == [.point])
    }

    @Test("points of cumulative types are totals, unless people log them or they have an end")
    func cumulativePoints() throws {
        let point = #"{"date":"2026-03-01 07:31:12 +0100","qty":12,"source":"iPhone"}"#
        let steps = try AppExport.metric("step_count", "count", point)
        #expect(steps.counts == [0, 1, 0, 0])
        #expect(steps.totals.first?.source == "iPhone")
        #expect(steps.totals.first?.end == steps.totals.first?.start)
        #expect(steps.totals.first?.value == 12)
        for (name, units, type) in [
            ("dietary_water", "mL", "dietaryWater"), ("inhaler_usage", "count", "inhalerUsage"),
            ("alcohol_consumption", "count", "numberOfAlcoholicBeverages"),
            ("number_of_times_fallen", "count", "numberOfTimesFallen"),
        ] {
            let read = try AppExport.metric(name, units, point)
            #expect(read.samples.map(\.type) == [type])
            #expect(read.samples.map(\.value) == [12])
            #expect(read.samples.map(\.unit) == [units])
            #expect(read.samples.map(\.identity) == [.point])
        }
        let ended = try AppExport.metric(
            "step_count", "count",
            #"{"date":"2026-03-01T07:31:12Z","end":"2026-03-01T07:32:00Z","qty":12}"#)
        #expect(ended.samples.map(\.identity) == [.content])
        #expect(ended.samples.map(\.value) == [12])
        #expect(ended.samples.map(\.start) == [AppExport.utc(2026, 3, 1, 7, 31, 12)])
        #expect(ended.samples.map(\.end) == [AppExport.utc(2026, 3, 1, 7, 32)])
    }

    @Test("a sample keeps its verdict, its reason and the metadata of the datum")
    func sampleMetadata() throws {
        let read = try AppExport.metric(
            "weight_body_mass", "kg",
            #"""
            {"date":"2026-03-01 07:31:12 +0100","qty":71.5,"source":"",
             "metadata":{"HKWasUserEntered":"1","Note":"x","HKTimeZone":"Europe/Paris","n":null}}
            """#, aggregation: nil)
        let more: Metadata = [
            "HKWasUserEntered": .number(1), "Note": .string("x"),
            "HKTimeZone": .string("Europe/Paris"),
        ]
        #expect(read.samples.map(\.metadata) == [AppExport.verdict("between minutes", more)])
        #expect(read.samples.map(\.source.name) == [""])
        #expect(read.samples.map(\.value) == [71.5])
    }
}

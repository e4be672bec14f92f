import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// Apple's totals in the answers of commands. The store has 1,000 steps on 8 and 9 March 2024, an
/// export of the noon of 9 March, and totals that a phone sent later.
@Suite("Apple's totals in answers", .inTestAll) struct AppleTotalsTests {
    private static let day = 86_400.0
    private let folder: TemporaryFolder
    private let path: String
    private let utc = CalendarBuckets(timeZone: .gmt)

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/health.sqlite"
        let records = ["2024-03-08", "2024-03-09"].map { day in
            """
            <Record type="HKQuantityTypeIdentifierStepCount" unit="count" sourceName="Watch" \
            sourceVersion="1" creationDate="\(day) 09:10:00 +0000" \
            startDate="\(day) 09:00:00 +0000" endDate="\(day) 09:05:00 +0000" value="1000"/>
            """
        }
        let export = try folder.write(
            "export.xml",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
            <ExportDate value="2024-03-09 12:00:00 +0000"/>
            \(records.joined(separator: "\n"))
            </HealthData>
            """)
        let run = try CommandRun(["import", export, "--time-zone", "UTC"], store: path)
        try #require(run.status == 0, "\(run.errors)")
    }

    private func time(_ day: Int, hour: Int = 0) throws -> Double {
        let start = try #require(utc.start(year: 2024, month: 3, day: day))
        return start + Double(hour) * 3600
    }

    /// Sends day totals in March 2024, as the phone's app does the evening two days later.
    private func send(_ totals: [Int: Double], type: String = "stepCount") throws {
        let phone = SendingPhone(store: try SampleStore(at: path, access: .writing))
        for (day, value) in totals.sorted(by: { $0.key < $1.key }) {
            try phone.send(
                type, totals: [(try time(day), try time(day + 1), value)],
                at: try time(day + 2, hour: 20))
        }
        try phone.store.close()
    }

    private func run(_ words: String) throws -> CommandRun {
        let run = try CommandRun(
            words.split(separator: " ").map(String.init) + ["--time-zone", "UTC"], store: path)
        #expect(run.status == 0, "\(words): \(run.errors)")
        return run
    }

    private func buckets(_ words: String) throws -> [[String: Any]] {
        let object = try #require(try run(words + " --json").object)
        return try #require(object["buckets"] as? [[String: Any]])
    }

    private func totals(_ bucket: [String: Any]) throws -> [Double] {
        let found = try #require(bucket["fromTotals"] as? [String: Any])
        #expect(Set(found.keys) == ["apple", "own", "provisional"])
        return [try #require(found["apple"] as? Double), try #require(found["own"] as? Double)]
    }

    @Test("days that the export covers have the sum, later ones the larger total")
    func days() throws {
        try send([8: 5000, 9: 1500, 10: 700])
        let found = try buckets("stats stepCount")
        #expect(found.map { $0["sum"] as? Double } == [1000, 1500, 700])
        #expect(found[0]["fromTotals"] == nil)
        #expect(try totals(found[1]) == [1500, 1000])
        #expect(try totals(found[2]) == [700, 0])
        #expect((found[2]["start"] as? String)?.hasPrefix("2024-03-10T00:00:00") == true)
    }

    @Test("longer buckets grow by the differences of their days")
    func longBuckets() throws {
        try send([8: 5000, 9: 1500, 10: 700, 11: 300])
        let weeks = try buckets("stats stepCount --by week")
        #expect(weeks.map { $0["sum"] as? Double } == [3200, 300])
        #expect(try totals(weeks[0]) == [2200, 1000])
        for step in ["month", "year", "total"] {
            let found = try buckets("stats stepCount --by \(step)")
            #expect(found.map { $0["sum"] as? Double } == [3500], "\(step)")
            #expect(try totals(found[0]) == [2500, 1000], "\(step)")
        }
        let range = try buckets("stats stepCount --by total --from 2024-03-10 --to 2024-03-11")
        #expect(range.map { $0["sum"] as? Double } == [700])
    }

    @Test("hours have totals only from hourly intervals")
    func hours() throws {
        try send([10: 700])
        #expect(try buckets("stats stepCount --by hour").count == 2)
        let phone = SendingPhone(store: try SampleStore(at: path, access: .writing))
        try phone.send(
            "stepCount", totals: [(try time(10, hour: 9), try time(10, hour: 10), 650)],
            at: time(12))
        try phone.store.close()
        let found = try buckets("stats stepCount --by hour")
        #expect(found.map { $0["sum"] as? Double } == [1000, 1000, 650])
    }

    @Test("answers by source and from one source have no totals")
    func sources() throws {
        let plain = ["--source Watch", "--by-source"].map { "stats stepCount --json " + $0 }
        let before = try plain.map { try run($0).output }
        try send([9: 1500, 10: 700])
        #expect(try plain.map { try run($0).output } == before)
    }

    @Test("the text marks totals and says where they come from")
    func text() throws {
        let before = try run("stats stepCount")
        #expect(!before.output.contains("*"))
        try send([9: 1500])
        let one = try run("stats stepCount").output
        #expect(one.contains("2024-03-09  1,500  *\n"), "\(one)")
        #expect(one.contains("2024-03-08  1,000\n"), "\(one)")
        let note = "\n* Apple's total from Anna’s iPhone, larger than the recorded 1,000 steps.\n"
        #expect(one.hasSuffix(note), "\(one)")
        try send([10: 700])
        let week = try run("stats stepCount --by week").output
        #expect(week.contains("* With Apple's totals from Anna’s iPhone"), "\(week)")
    }

    @Test("CSV has a column for totals only if there are any")
    func csv() throws {
        let before = try run("stats stepCount --csv").output
        #expect(before.split(whereSeparator: \.isNewline).first == "start,end,sum,unit")
        try send([9: 1500])
        let lines = try run("stats stepCount --csv").output.split(whereSeparator: \.isNewline)
        #expect(lines[0] == "start,end,sum,unit,fromTotals")
        #expect(lines[1].hasSuffix(",1000.0,count,"))
        #expect(lines[2].hasSuffix(",1500.0,count,1500.0"))
    }

    @Test("a store with totals only answers in the chosen unit")
    func totalsOnly() throws {
        try send([10: 5], type: "distanceWalkingRunning")
        let found = try buckets("stats distanceWalkingRunning --unit m")
        #expect(found.map { $0["sum"] as? Double } == [5000])
        #expect(try totals(found[0]) == [5000, 0])
        let text = try run("stats distanceWalkingRunning --by total").output
        #expect(text.hasPrefix("5.0"), "\(text)")
        #expect(try run("stats flightsClimbed").output.hasPrefix("No "))
    }

    @Test("explain says that a day has Apple's total, with both numbers")
    func explain() throws {
        let before = try run("explain stepCount --day 2024-03-09").output
        try send([9: 1500, 10: 700])
        let text = try run("explain stepCount --day 2024-03-09").output
        #expect(
            text.replacing("\n", with: " ").hasPrefix(
                "1,500 steps on 9 March 2024: Apple's total from Anna’s iPhone, larger than the "
                    + "recorded 1,000 steps."), "\(text)")
        #expect(text.hasSuffix("\n\nRecorded: " + before))
        let empty = try run("explain stepCount --day 2024-03-10").output
        #expect(empty.contains("700 steps") && empty.contains("No samples of that day"))
        let object = try #require(
            try run("explain stepCount --day 2024-03-09 --json").object)
        #expect(object["merged"] as? Double == 1000)
        #expect(try totals(object) == [1500, 1000])
        let covered = try run("explain stepCount --day 2024-03-08 --json")
        #expect(covered.object?["fromTotals"] == nil)
    }

    @Test("summary shows the latest total, labels it, and says which phone is silent")
    func summary() throws {
        try send([9: 1500, 10: 700, 11: 300])
        let text = try run("summary").output
        #expect(
            text.hasPrefix("300 steps, Monday 11 March 2024\nApple's total; 0 recorded\n"),
            "\(text)")
        #expect(text.contains("* Apple's total, larger than what was recorded\n"), "\(text)")
        #expect(text.hasSuffix("\nNo data from Anna’s iPhone since 13 March 2024.\n"), "\(text)")
        // A cached page is stale when totals change.
        try send([11: 400])
        #expect(try run("summary").output.hasPrefix("400 steps, Monday 11 March 2024\n"))
        let object = try #require(try run("summary --day 2024-03-09 --json").object)
        let steps = try #require(object["steps"] as? [String: Any])
        #expect(steps["value"] as? Double == 1500)
        #expect(try (steps["fromTotals"] as? [String: Any])?["own"] as? Double == 1000)
    }

    @Test("the comparison with totals lists the worst days, the report only percentages")
    func calibrate() throws {
        let nothing = try run("sources calibrate --from-totals").output
        #expect(nothing.hasPrefix("There are no whole days with Apple's totals"))
        try send([8: 1250, 10: 700])
        let text = try run("sources calibrate --from-totals").output
        #expect(text.contains("−20.0 %") && text.contains("8 March 2024"), "\(text)")
        #expect(text.contains("Watch 1,000"), "\(text)")
        let report = try run("sources calibrate --from-totals --type stepCount --report").output
        #expect(report.contains("steps") && report.contains("−20.0 %"), "\(report)")
        for secret in ["2024", "March", "Watch", "Anna", "1,000", "1,250"] {
            #expect(!report.contains(secret), "\(secret)")
        }
        let object = try #require(try run("sources calibrate --from-totals --json").object)
        let type = try #require((object["types"] as? [[String: Any]])?.first)
        #expect(type["days"] as? Int == 1 && type["incompleteDays"] as? Int == 1)
        #expect(type["worstDifference"] as? Double == -0.2)
        #expect(type["within3"] as? Double == 0)
        let day = try #require((type["worstDays"] as? [[String: Any]])?.first)
        #expect(day["day"] as? String == "2024-03-08")
        #expect(day["own"] as? Double == 1000 && day["apple"] as? Double == 1250)
        let hidden = try run("sources calibrate --from-totals --report --json").output
        #expect(!hidden.contains("1250") && !hidden.contains("2024") && hidden.contains("-0.2"))
    }

    @Test(
        "options that don't fit together are wrong usage",
        arguments: [
            "sources calibrate --from-totals stepCount", "sources calibrate --report",
            "sources calibrate stepCount 2024-03-08=1000 --type stepCount",
            "sources calibrate --from-totals --apply", "sources calibrate",
            "sources calibrate --from-totals --type heartRate",
        ])
    func refusals(words: String) throws {
        let run = try CommandRun(words.split(separator: " ").map(String.init), store: path)
        #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
    }
}

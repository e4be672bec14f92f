import Foundation
import HealthTesting
import Testing

/// Questions that people ask of their data: the best weekday, the best week, two periods.
@Suite("plain questions have one line", .inTestAll)
struct QuestionTests {
    private static let zone = TimeZone(identifier: "America/New_York") ?? .gmt

    /// Four weeks of steps from Monday, 3 June 2024: day n has 1,000 + 10 n steps, a Saturday 5,000
    /// more. A run of 5 km each Tuesday and Thursday, and sleep of 7 hours, after runs 8 hours.
    private static func store() throws -> HandMadeExport {
        var lines: [String] = []
        for day in 0..<28 {
            let date = "2024-06-" + (day + 3 < 10 ? "0" : "") + "\(day + 3)"
            let steps = 1000 + 10 * day + (day % 7 == 5 ? 5000 : 0)
            lines.append(record("StepCount", "count", "\(steps)", date, "09:00", "10:00"))
            let ran = day % 7 == 2 || day % 7 == 4
            lines.append(
                HandMadeExport.sleep(
                    "AsleepUnspecified", source: "Ring", from: "\(date) 00:00:00 -0400",
                    to: "\(date) 0\(ran ? 8 : 7):00:00 -0400"))
            if day % 7 == 1 || day % 7 == 3 { lines.append(run(date)) }
        }
        return try HandMadeExport(lines, zone: "America/New_York")
    }

    private static func record(
        _ type: String, _ unit: String, _ value: String, _ date: String, _ from: String,
        _ to: String
    ) -> String {
        "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"Phone\" unit=\"\(unit)\" "
            + "creationDate=\"\(date) \(to):00 -0400\" startDate=\"\(date) \(from):00 -0400\" "
            + "endDate=\"\(date) \(to):00 -0400\" value=\"\(value)\"/>"
    }

    private static func run(_ date: String) -> String {
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"30\" "
            + "durationUnit=\"min\" sourceName=\"Watch\" creationDate=\"\(date) 18:30:00 -0400\" "
            + "startDate=\"\(date) 18:00:00 -0400\" endDate=\"\(date) 18:30:00 -0400\">"
            + "<WorkoutStatistics type=\"HKQuantityTypeIdentifierDistanceWalkingRunning\" "
            + "startDate=\"\(date) 18:00:00 -0400\" endDate=\"\(date) 18:30:00 -0400\" sum=\"5\" "
            + "unit=\"km\"/></Workout>"
    }

    @Test("a month that the range covers in part is named with its days")
    func parts() throws {
        let store = try Self.store()
        let part = try store.run(["stats", "steps", "--by", "month", "--from", "2024-06-10"])
        #expect(
            part.errors.contains("Not a whole month: 2024-06 (2024-06-10 to 2024-06-30)."),
            "\(part.errors)")
        let whole = try store.run(["stats", "steps", "--by", "month"])
        #expect(whole.status == 0 && !whole.errors.contains("Not a whole"), "\(whole.errors)")
        let days = try store.run(["stats", "steps", "--from", "2024-06-10"])
        #expect(!days.errors.contains("Not a whole"))
    }

    @Test("an answer without data says when there is some")
    func extent() throws {
        let store = try Self.store()
        for words in [
            ["stats", "steps", "--year", "2023"], ["explain", "steps", "--day", "2024-07-04"],
        ] {
            let run = try store.run(words)
            let note = "There is data of steps from 3 June 2024 to 30 June 2024."
            #expect(run.errors.contains(note), "\(words): \(run.errors)")
        }
        let night = try store.run(["explain", "sleep", "--day", "2024-07-04"])
        #expect(night.errors.contains("There is data of sleep from 3 June 2024 to 30 June 2024."))
    }

    @Test("the CSV of stats names the unit in each row")
    func units() throws {
        let store = try Self.store()
        for (type, unit) in [("steps", "count"), ("sleep", "s")] {
            let lines = try store.run(["stats", type, "--csv"]).output.split(separator: "\n")
            let header = try #require(lines.first).split(separator: ",")
            #expect(header.last == "unit" && lines.count > 20)
            for line in lines.dropFirst() { #expect(line.hasSuffix(",\(unit)"), "\(line)") }
        }
    }

    @Test("--chart draws the buckets that stats lists, and replaces an earlier file")
    func chart() throws {
        let store = try Self.store()
        let folder = try TemporaryFolder()
        let file = folder.path + "/steps.svg"
        try "old".write(toFile: file, atomically: true, encoding: .utf8)
        let run = try store.run(["stats", "steps", "--by", "week", "--chart", file])
        #expect(run.status == 0 && run.errors.contains("Chart: \(file)"), "\(run.errors)")
        let svg = try String(contentsOfFile: file, encoding: .utf8)
        #expect(svg.contains("<title>Steps by week, Mon 3 Jun 2024 – Sun 30 Jun 2024</title>"))
        let bars = try #require(svg.firstMatch(of: /class="bars picked" d="([^"]*)"/)).output.1
        #expect(bars.count { $0 == "M" } == 4)
        let nights = try store.run(["stats", "sleep", "--chart", folder.path + "/sleep.svg"])
        #expect(nights.status == 0, "\(nights.errors)")
    }

    @Test("--chart needs steps of time and a name that ends with .svg or .png")
    func refusedCharts() throws {
        let store = try Self.store()
        for words in [
            ["--by", "weekday", "--chart", "a.svg"], ["--by", "total", "--chart", "a.svg"],
            ["--best", "3", "--chart", "a.svg"], ["--chart", "a.gif"], ["--chart", "png"],
        ] {
            let run = try store.run(["stats", "steps"] + words)
            #expect(run.status == 64, "\(words)")
            #expect(!FileManager.default.fileExists(atPath: words.last ?? ""))
        }
    }

    @Test(
        "--chart makes a PNG of twice the size", .enabled(if: RSVG.isInstalled, RSVG.isMissing))
    func picture() throws {
        let store = try Self.store()
        let folder = try TemporaryFolder()
        let file = folder.path + "/steps.PNG"
        let run = try CommandRun(
            ["stats", "steps", "--chart", file], store: store.path,
            environment: ["PATH": RSVG.folders.joined(separator: ":")])
        #expect(run.status == 0, "\(run.errors)")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(bytes.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
        #expect(bytes.count > 24 && Int(bytes[18]) << 8 + Int(bytes[19]) == 1920)
    }

    @Test("by weekday gives the averages of the days that stats lists")
    func weekdays() throws {
        let store = try Self.store()
        let days = try store.run(["stats", "steps", "--json"])
        let buckets = try #require(days.object?["buckets"] as? [[String: Any]], "\(days.errors)")
        var sums: [String: [Double]] = [:]
        for bucket in buckets {
            let start = try #require(bucket["start"] as? String)
            let date = try #require(ISO8601DateFormatter().date(from: start))
            var style = Date.FormatStyle(timeZone: Self.zone).weekday(.wide)
            style.locale = Locale(identifier: "en")
            sums[date.formatted(style).lowercased(), default: []].append(
                try #require(bucket["sum"] as? Double))
        }
        let run = try store.run(["stats", "steps", "--by", "weekday", "--json"])
        let rows = try #require(run.object?["weekdays"] as? [[String: Any]], "\(run.errors)")
        #expect(rows.map { $0["weekday"] as? String }.first == "monday")
        #expect(rows.count == 7)
        for row in rows {
            let values = try #require(sums[row["weekday"] as? String ?? ""])
            #expect(row["days"] as? Int == values.count)
            #expect(row["average"] as? Double == values.reduce(0, +) / Double(values.count))
            #expect(row["lowest"] as? Double == values.min())
            #expect(row["highest"] as? Double == values.max())
        }
        let text = try store.run(["stats", "steps", "--by", "weekday"])
        #expect(text.output.hasPrefix("Steps by weekday: highest on Saturdays with 6,1"))
        #expect(text.output.contains("lowest on Mondays\nwith 1,105"), "\(text.output)")
    }

    @Test("the best weeks are those with the largest sums, the largest first")
    func bestWeeks() throws {
        let store = try Self.store()
        let run = try store.run(["stats", "steps", "--by", "week", "--best", "2", "--json"])
        let buckets = try #require(run.object?["buckets"] as? [[String: Any]], "\(run.errors)")
        #expect(
            buckets.map { $0["start"] as? String } == [
                "2024-06-24T00:00:00-04:00", "2024-06-17T00:00:00-04:00",
            ])
        #expect(buckets.map { $0["sum"] as? Double } == [13_680, 13_190])
        let text = try store.run(["stats", "steps", "--by", "week", "--best", "1"])
        #expect(text.output.hasPrefix("The most: 13,680 steps in the week from 24 June 2024"))
        let night = try store.run(["stats", "sleep", "--best", "1"])
        #expect(night.output.hasPrefix("The most: 8:00 h asleep on 5 June 2024"))
    }

    @Test("two months are compared by their days")
    func periods() throws {
        let store = try Self.store()
        let run = try store.run(["compare", "steps", "2024-06", "2024-05", "--json"])
        let groups = try #require(run.object?["groups"] as? [[String: Any]], "\(run.errors)")
        #expect(groups[0]["days"] as? Int == 28)
        #expect(groups[0]["sum"] as? Double == 51_780)
        #expect(groups[1]["days"] as? Int == 0)
        #expect(groups[1]["average"] is NSNull)
        #expect(run.object?["difference"] is NSNull)
        let days = try store.run(["compare", "steps", "2024-06-08", "2024-06-07", "--json"])
        #expect(days.object?["difference"] as? Double == 5010)
    }

    @Test("nights after runs are compared with other nights")
    func nights() throws {
        let store = try Self.store()
        let run = try store.run(["compare", "sleep", "--after", "workouts", "--json"])
        let groups = try #require(run.object?["groups"] as? [[String: Any]], "\(run.errors)")
        #expect(groups.map { $0["days"] as? Int } == [8, 20])
        #expect(groups.map { $0["average"] as? Double } == [28_800, 25_200])
        let text = try store.run(["compare", "sleep", "--after", "workouts"])
        #expect(text.output.contains("+1:00 (+14 %)"), "\(text.output)")
        let other = try store.run([
            "compare", "sleep", "--after", "workouts", "--activity", "cycling", "--json",
        ])
        let cycling = try #require(other.object?["groups"] as? [[String: Any]])
        #expect(cycling.map { $0["days"] as? Int } == [0, 28])
    }

    @Test("runs have their pace and a total")
    func runs() throws {
        let store = try Self.store()
        let run = try store.run(["workouts", "--activity", "run", "--json"])
        let totals = try #require(run.object?["totals"] as? [String: Any], "\(run.errors)")
        #expect(totals["workouts"] as? Int == 8)
        #expect(totals["distance"] as? Double == 40)
        #expect(totals["pace"] as? Double == 360)
        let text = try store.run(["workouts", "--activity", "running"])
        #expect(text.output.contains("6:00 /km"))
        #expect(text.output.contains(#/8 workouts +4:00/#), "\(text.output)")
        let wrong = try store.run(["workouts", "--activity", "runing"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("Did you mean running?"))
    }

    @Test("a night is explained by what each source recorded")
    func explainedNight() throws {
        let store = try Self.store()
        let run = try store.run(["explain", "sleep", "--day", "2024-06-05", "--json"])
        #expect(run.object?["asleep"] as? Double == 28_800, "\(run.errors)")
        let sources = try #require(run.object?["sources"] as? [[String: Any]])
        #expect(sources.map { $0["name"] as? String } == ["Ring"])
        #expect(sources[0]["contributed"] as? Double == 28_800)
        let text = try store.run(["explain", "sleep", "--day", "2024-06-05"])
        #expect(
            text.output.hasPrefix(
                "8:00 h asleep in the night to 5 June 2024, from 00:00 to 08:00"),
            "\(text.output)")
        let none = try store.run(["explain", "sleep", "--day", "2025-01-01"])
        #expect(none.status == 0)
        #expect(none.output.hasPrefix("No sleep for 1 January 2025"))
    }

    @Test(
        "ranges are written in words, and wrong ones are refused",
        arguments: [
            (["stats", "steps", "--year", "2024", "--by", "total", "--json"], 0),
            (["stats", "steps", "--last", "30d"], 0), (["stats", "steps", "--last", "week"], 0),
            (["samples", "steps", "--from", "2024-06-03T08:00", "--to", "2024-06-03T12:00"], 0),
            (["stats", "steps", "--last", "tomorrow"], 64),
            (["stats", "steps", "--year", "24"], 64),
            (["stats", "steps", "--year", "2024", "--from", "today"], 64),
            (["stats", "steps", "--best", "0"], 64),
            (["stats", "steps", "--by", "total", "--best", "3"], 64),
            (["stats", "stpes"], 64), (["compare", "steps"], 64),
            (["compare", "steps", "2024", "--on", "workouts"], 64),
        ] as [([String], Int32)])
    func ranges(arguments: [String], status: Int32) throws {
        let run = try Self.store().run(arguments)
        #expect(run.status == status, "\(run.errors)")
        if arguments.contains("2024"), status == 0 {
            let buckets = try #require(run.object?["buckets"] as? [[String: Any]])
            #expect(buckets[0]["sum"] as? Double == 51_780)
        }
    }
}

/// librsvg's command, which makes PNG from SVG.
private enum RSVG {
    static let isMissing: Comment = "rsvg-convert isn't installed"
    static let folders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    static let isInstalled = folders.contains {
        FileManager.default.isExecutableFile(atPath: $0 + "/rsvg-convert")
    }
}

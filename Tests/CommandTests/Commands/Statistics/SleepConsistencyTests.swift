import Foundation
import HealthTesting
import Testing

/// A night has the same numbers in every command and page.
@Suite(.inTestAll) struct SleepConsistencyTests {
    /// Three nights in New York: one across midnight with stages, time in bed and a nap; one with
    /// only time in bed; and one that two apps recorded an hour apart.
    private static func nights() throws -> HandMadeExport {
        func at(_ day: Int, _ clock: String) -> String { "2024-06-0\(day) \(clock):00 -0400" }
        return try HandMadeExport(
            [
                HandMadeExport.sleep(
                    "InBed", source: "Phone", from: at(1, "22:30"), to: at(2, "07:00")),
                HandMadeExport.sleep(
                    "AsleepCore", source: "Ring", from: at(1, "22:50"), to: at(2, "03:00")),
                HandMadeExport.sleep(
                    "Awake", source: "Ring", from: at(2, "03:00"), to: at(2, "03:15")),
                HandMadeExport.sleep(
                    "AsleepREM", source: "Ring", from: at(2, "03:15"), to: at(2, "06:42")),
                HandMadeExport.sleep(
                    "AsleepUnspecified", source: "Ring", from: at(2, "13:00"), to: at(2, "13:40")),
                HandMadeExport.sleep(
                    "InBed", source: "Phone", from: at(2, "22:16"), to: at(3, "07:00")),
                HandMadeExport.sleep(
                    "AsleepUnspecified", source: "Ring", from: at(3, "23:30"), to: at(4, "06:30")),
                HandMadeExport.sleep(
                    "AsleepUnspecified", source: "Pillow", from: at(3, "22:30"), to: at(4, "06:00")),
            ], zone: "America/New_York")
    }

    private func buckets(_ run: CommandRun) throws -> [[String: Any]] {
        #expect(run.status == 0, "\(run.errors)")
        return try #require(run.object?["buckets"] as? [[String: Any]])
    }

    private func number(_ object: [String: Any], _ name: String) throws -> Double? {
        let value = try #require(object[name], "no \(name)")
        return value is NSNull ? nil : try #require(value as? Double, "\(name)")
    }

    @Test(
        "stats by day are the nights of summary and of the page, and say which day they belong to")
    func agreement() async throws {
        let store = try Self.nights()
        let run = try store.run(["stats", "sleepAnalysis", "--json"])
        let days = try buckets(run)
        #expect(days.map { $0["day"] as? String } == ["2024-06-02", "2024-06-03", "2024-06-04"])
        #expect((run.object?["nightBelongsTo"] as? String)?.contains("the day it ends on") == true)
        // 4:10 and 3:27 asleep, computed by hand.
        #expect(try number(days[0], "asleep") == 27_420)
        #expect(try number(days[0], "inBed") == 30_600)
        #expect(try number(days[0], "napSeconds") == 2400)
        #expect(try number(days[1], "asleep") == nil)
        #expect(try number(days[1], "inBed") == 31_440)
        #expect(try number(days[2], "inBed") == nil)
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        for day in days {
            let name = try #require(day["day"] as? String)
            let summary = try store.run(["summary", "--day", name, "--json"])
            let night = try #require(summary.object?["night"] as? [String: Any])
            let answer = try await serving.send("/sleep.json?day=\(name)", cookie: cookie)
            let page = try #require(
                JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
            let chosen = try #require(page["chosen"] as? [String: Any])
            for (own, other) in [
                ("asleep", "asleep"), ("inBed", "inBed"), ("napSeconds", "napped"),
            ] {
                let expected = try number(day, own)
                #expect(try number(night, other) == expected, "\(name) \(own)")
                #expect(try number(chosen, other) == expected, "\(name) \(own)")
            }
        }
    }

    @Test("an unknown value of sleep is no time in bed")
    func unknownValue() throws {
        let folder = try TemporaryFolder()
        let (export, store) = (folder.path + "/export.xml", folder.path + "/health.sqlite")
        try Data(
            """
            <HealthData><ExportDate value="2024-05-01 10:00:00 +0000"/>
            <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="P" \
            startDate="2024-03-14 23:00:00 +0000" endDate="2024-03-15 07:00:00 +0000" \
            value="HKCategoryValueSleepAnalysisNew"/></HealthData>
            """.utf8
        ).write(to: URL(fileURLWithPath: export))
        try #require(CommandRun(["import", export], store: store).status == 0)
        for words in [["summary", "--day", "2024-03-15"], ["stats", "sleepAnalysis"]] {
            let answer = try CommandRun(words, store: store)
            #expect(!answer.output.contains("8:00"), "\(answer.output)")
        }
    }

    @Test("asleep unknown is said in words, never as 0:00, in every answer for people")
    func unknown() async throws {
        let store = try Self.nights()
        let summary = try store.run(["summary", "--day", "2024-06-03"]).output
        #expect(summary.contains("Sleep: time asleep unknown · in bed 8:44"))
        let stats = try store.run(["stats", "sleepAnalysis"]).output
        #expect(stats.contains("2024-06-03       –    8:44"))
        #expect(stats.contains("for 1 night only time in bed"))
        let csv = try #require(CSVTable(try store.run(["stats", "sleepAnalysis", "--csv"]).output))
        #expect(csv.map { $0["asleep"] } == ["27420.0", "", "28800.0"])
        let serving = try Serving(["serve"], store: store.path)
        defer { serving.command.kill() }
        let cookie = try #require(try await serving.send("/?token=" + serving.token).cookie)
        for (target, words) in [
            ("/sleep?day=2024-06-03", "<b>8:44</b> h in bed, no sleep recorded"),
            ("/?day=2024-06-03", "8:44 <small>hours in bed</small>"),
        ] {
            let page = try await serving.send(target, cookie: cookie).body
            #expect(page.contains(words), "\(target)")
            #expect(!page.contains("Asleep 0:00"), "\(target)")
        }
        let full = try await serving.send("/sleep?day=2024-06-02", cookie: cookie).body
        #expect(full.contains("awake 0:15, in bed 8:30"))
    }

    @Test("weeks, months, the total and the hours add up to the nights")
    func steps() throws {
        let nights = try Self.nights()
        defer { withExtendedLifetime(nights) {} }
        for store in [nights.path, try SimulatedStore.shared.get().path] {
            func sum(_ step: String, _ name: String) throws -> Double {
                let run = try CommandRun(
                    ["stats", "sleepAnalysis", "--by", step, "--json"], store: store)
                return try buckets(run).reduce(0) { $0 + (try number($1, name) ?? 0) }
            }
            for name in ["asleep", "napSeconds"] {
                let days = try sum("day", name)
                for step in ["hour", "week", "month", "year", "total"] {
                    #expect(abs(try sum(step, name) - days) < 1e-6, "\(name) by \(step)")
                }
            }
            #expect(try sum("day", "asleep") > 0)
        }
    }

    @Test("a source's order and its exclusion hold for the nights of summary as for those of stats")
    func sources() throws {
        let store = try Self.nights()
        func asleep() throws -> [Double?] {
            let stats = try buckets(
                store.run(["stats", "sleepAnalysis", "--from", "2024-06-04", "--json"]))
            let summary = try store.run(["summary", "--day", "2024-06-04", "--json"])
            let night = try #require(summary.object?["night"] as? [String: Any])
            return try [stats.first.flatMap { try number($0, "asleep") }, number(night, "asleep")]
        }
        // The union of both: 22:30 to 6:30.
        #expect(try asleep() == [28_800, 28_800])
        #expect(try store.run(["sources", "exclude", "sleepAnalysis", "Pillow"]).status == 0)
        #expect(try asleep() == [25_200, 25_200])
        let own = try store.run(["stats", "sleepAnalysis", "--by-source", "--json"])
        let last = try #require(try buckets(own).last?["sources"] as? [[String: Any]])
        #expect(last.map { $0["name"] as? String } == ["Ring"])
    }

    @Test("every night of a simulated person is the union of its asleep samples in SQL")
    func simulated() throws {
        let store = try SimulatedStore.shared.get()
        let run = try store.run(["stats", "sleepAnalysis", "--json"])
        let oracle = try Python.run(
            Self.union, [store.path, String(decoding: Data(run.output.utf8), as: UTF8.self)])
        #expect(oracle.hasPrefix("0 wrong of "), "\(oracle)")
    }

    /// Python that computes, night by night, the union of asleep samples between the night's start
    /// and end, directly from the store's file.
    private static let union = """
        import json, sqlite3, sys
        from datetime import datetime
        db = sqlite3.connect(sys.argv[1])
        code = db.execute("SELECT code FROM type WHERE identifier LIKE '%SleepAnalysis'").fetchone()[0]
        rows = db.execute("SELECT start_time, end_time FROM sample WHERE type = ? "
            "AND value IN (1, 3, 4, 5) ORDER BY start_time", (code,)).fetchall()
        wrong = seen = 0
        for bucket in json.loads(sys.argv[2])["buckets"]:
            begin, end = (datetime.fromisoformat(bucket["night"][name]).timestamp() - 978307200
                for name in ("start", "end"))
            total, reached = 0, begin
            for start, stop in rows:
                start, stop = max(start, reached), min(stop, end)
                if stop > start: total, reached = total + stop - start, stop
            seen += total > 0
            wrong += abs(total - (bucket["asleep"] or 0)) > 1
        print(wrong, "wrong of", seen)
        assert seen > 10
        """
}

import Foundation
import HealthTesting
import Testing

/// `openhealth report`: its text, its file and its numbers.
@Suite(.inTestAll) struct ReportTests {
    private func report(_ arguments: String...) throws -> CommandRun {
        let store = try AnnasStore.shared.get()
        let run = try CommandRun(["report"] + arguments, store: store.path)
        #expect(run.status == 0, "\(run.errors)")
        return run
    }

    @Test("the text has at most 80 columns, with the words first and then the sections with data")
    func text() throws {
        let long = String(repeating: "Müdigkeit", count: 12)
        let run = try report("--words", "I am tired.\n\(long)")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(lines.first == "2 January 2024 to 31 March 2024, 90 days")
        #expect(!run.output.contains("\u{1B}"))
        let titles = ["In the person’s own words", "Weight", "Sleep", "Activity"]
        let headings = lines.filter { line in titles.contains(String(line)) }.map(String.init)
        #expect(headings == titles)
        #expect(run.output.contains("\n  I am tired.\n"))
        #expect(!run.output.contains("Glucose") && !run.output.contains("Blood pressure"))
        #expect(run.output.contains("Average a night"))
        #expect(run.output.contains("Gaps of 7 days or more"))
        #expect(run.output.contains("Anna’s Apple Watch, Anna’s iPhone"))
        #expect(!run.output.contains("DayCounter"), "it is excluded")
        #expect(run.output.contains("It is not a diagnosis."))
    }

    @Test("the average of steps is that of `stats`, over the days with data")
    func numbers() throws {
        let run = try report("--from", "2024-03-01", "--to", "2024-03-31", "--json")
        #expect(run.object?["first"] as? String == "2024-03-01")
        #expect(run.object?["last"] as? String == "2024-03-31")
        let sections = try #require(run.object?["sections"] as? [[String: Any]])
        let activity = try #require(sections.first { $0["kind"] as? String == "activity" })
        let measure = try #require((activity["measures"] as? [[String: Any]])?.first)
        let store = try AnnasStore.shared.get()
        let stats = try CommandRun(
            [
                "stats", "stepCount", "--by", "total", "--from", "2024-03-01", "--to",
                "2024-04-01", "--json",
            ], store: store.path)
        let bucket = try #require((stats.object?["buckets"] as? [[String: Any]])?.first)
        let sum = try #require(bucket["sum"] as? Double)
        #expect(measure["days"] as? Int == 2)
        #expect(abs(try #require(measure["average"] as? Double) * 2 - sum) < 1e-6)
    }

    @Test("the file needs no server, holds the words as text, and only its owner can read it")
    func file() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report.html"
        let run = try report("--out", path, "--words", "<b>tired</b> & sad")
        #expect(run.output.isEmpty && run.errors.contains("report.html"))
        let html = try String(contentsOfFile: path, encoding: .utf8)
        #expect(html.hasPrefix("<!DOCTYPE html>"))
        #expect(html.contains("&lt;b&gt;tired&lt;/b&gt; &amp; sad") && !html.contains("<b>tired"))
        for part in ["<script", "<link", "<form", " href=", " src="] {
            #expect(!html.contains(part), "\(part)")
        }
        #expect(html.contains("@page") && html.contains("openhealth 0."))
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        // A second report replaces the first, and a store is never replaced.
        #expect(try report("--out", path).errors.contains("Wrote"))
        #expect(try report("--out", "-").output.hasPrefix("<!DOCTYPE html>"))
        let store = try AnnasStore.shared.get()
        let refused = try CommandRun(["report", "--out", store.path], store: store.path)
        #expect(refused.status == 1)
    }

    @Test("a period without data says so")
    func nothing() throws {
        let run = try report("--from", "2020-01-01", "--to", "2020-12-31")
        #expect(run.output.hasPrefix("No data from 1 January 2020 to 31 December 2020\n"))
    }

    @Test("an invalid period, too many words and two outputs are wrong usage")
    func wrongUsage() throws {
        let store = try AnnasStore.shared.get()
        for (arguments, words) in [
            (["--from", "2024-02-30"], "2024-02-30"), (["--to", "tuesdai"], "tuesdai"),
            (["--from", "2024-03-31", "--to", "2024-03-30"], "ends before it starts"),
            (["--from", "2023-03-31", "--to", "2024-03-31"], "at most 366 days"),
            (["--words", String(repeating: "x", count: 1_001)], "at most 1000 characters"),
            (["--out", "r.html", "--json"], "not both"), (["--out="], "--out"),
        ] {
            let run = try CommandRun(["report"] + arguments, store: store.path)
            #expect(run.status == 64 && run.output.isEmpty, "\(arguments)")
            #expect(run.errors.contains(words), "\(run.errors)")
        }
    }
}

import Foundation
import HealthTesting
import Testing

/// `openhealth summary`: its numbers compared with `stats`, and its cache.
@Suite(.inTestAll) struct SummaryTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }
    private var cache: String { folder.path + "/health.pages.cache" }

    init() throws {
        folder = try TemporaryFolder()
        let export = ProjectFiles.fixtures.appendingPathComponent("command/export.xml").path
        let imported = try CommandRun(["import", export], store: store)
        #expect(imported.status == 0, "\(imported.errors)")
    }

    private func summary(_ arguments: String...) throws -> CommandRun {
        let run = try CommandRun(["summary"] + arguments, store: store)
        #expect(run.status == 0, "\(run.errors)")
        return run
    }

    private func tiles(_ run: CommandRun) throws -> [String: Double] {
        let tiles = try #require(run.object?["tiles"] as? [[String: Any]])
        let pairs = tiles.compactMap { tile -> (String, Double)? in
            guard let metric = tile["metric"] as? [String: Any],
                let name = metric["identifier"] as? String, let value = tile["value"] as? Double
            else { return nil }
            return (name, value)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test(
        "every number is that of `stats`",
        arguments: [("--day", "day"), ("--week", "week"), ("--month", "month")])
    func numbers(flag: String, step: String) throws {
        var arguments = ["--day", "2024-03-30", "--json"]
        if flag != "--day" { arguments.append(flag) }
        let run = try CommandRun(["summary"] + arguments, store: store)
        let interval = try #require(run.object?["interval"] as? [String: Any])
        let start = try #require(interval["start"] as? String)
        var compared = 0
        for (type, value) in try tiles(run) {
            let stats = try CommandRun(
                ["stats", type, "--by", step, "--from", start, "--json"], store: store)
            let bucket = try #require((stats.object?["buckets"] as? [[String: Any]])?.first)
            let expected = try #require((bucket["sum"] ?? bucket["average"]) as? Double)
            #expect(abs(value - expected) <= 1e-9 * abs(expected), "\(type)")
            compared += 1
        }
        #expect(compared >= 2)
    }

    @Test("the summary is cached until the source order changes")
    func kept() throws {
        func asOf(_ run: CommandRun) throws -> String {
            let freshness = try #require(run.object?["freshness"] as? [String: Any])
            #expect(freshness["isCurrent"] as? Bool == true)
            return try #require(freshness["asOf"] as? String)
        }
        let first = try asOf(summary("--day", "2024-03-30", "--json"))
        #expect(FileManager.default.fileExists(atPath: cache))
        Thread.sleep(forTimeInterval: 1.1)
        #expect(try asOf(summary("--day", "2024-03-30", "--json")) == first)
        #expect(try asOf(summary("--day", "2024-03-30", "--goal", "9000", "--json")) != first)
        let changed = try CommandRun(
            ["sources", "exclude", "stepCount", "Anna’s\u{A0}Apple\u{A0}Watch"], store: store)
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(try asOf(summary("--day", "2024-03-30", "--json")) != first)
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: cache))
        _ = try summary("--day", "2024-03-30", "--json")
    }

    @Test("the JSON has these members, and no others")
    func shape() throws {
        let run = try summary("--day", "2024-03-30", "--goal", "9000", "--json")
        let members = try #require(run.object).keys.sorted()
        let always = [
            "day", "freshness", "highlights", "interval", "period", "provenance", "sentence",
            "stepGoal", "steps", "tiles", "timeZone", "workouts",
        ]
        #expect(Set(members).subtracting(["rings", "night"]) == Set(always))
        let tile = try #require((run.object?["tiles"] as? [[String: Any]])?.first)
        #expect(
            Set(tile.keys).isSubset(
                of: ["metric", "value", "text", "before", "usual", "series", "latest"]))
    }

    @Test("the text is a sentence, then rows of at most 80 columns")
    func text() throws {
        let run = try summary("--day", "2024-03-30")
        #expect(run.output.hasPrefix("5,300 steps, Saturday 30 March 2024\n"))
        for line in run.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(!run.output.contains("\u{1B}"))
        let latest = try summary()
        #expect(latest.output.contains(" 20"))
    }

    @Test("an invalid day is rejected")
    func nonsense() throws {
        for arguments in [
            ["--day", "2024-02-30"], ["--week", "--month"], ["--goal", "-1"], ["--goal", "nan"],
        ] {
            #expect(try CommandRun(["summary"] + arguments, store: store).status == 64)
        }
        #expect(try CommandRun(["summary"], store: folder.path + "/none.sqlite").status == 1)
    }
}

import ArgumentParser
import Foundation
import HealthTesting
import Testing

@testable import openhealth

/// Complete outputs compared with checked-in files. Record them again with
/// `OPENHEALTH_TESTS=all OPENHEALTH_UPDATE_FIXTURES=1 swift test`.
@Suite(.inTestAll) struct SnapshotTests {
    static let answers: [(name: String, arguments: String)] = [
        ("types.txt", "types"),
        ("types.json", "types --json"),
        ("sources.txt", "sources"),
        ("sources.json", "sources --json"),
        ("sources-steps.txt", "sources stepCount"),
        ("sources-steps.json", "sources stepCount --json"),
        ("calibrate.txt", "sources calibrate stepCount 2024-03-30=5000 2024-03-31=9000"),
        ("calibrate.json", "sources calibrate stepCount 2024-03-30=5300 --json"),
        ("stats-day.txt", "stats stepCount"),
        ("stats-day.json", "stats stepCount --json"),
        ("stats-day.csv", "stats stepCount --csv"),
        ("stats-sources.txt", "stats stepCount --by-source"),
        ("stats-sources.json", "stats stepCount --by-source --json"),
        ("stats-sources.csv", "stats stepCount --by-source --csv"),
        ("stats-total.txt", "stats stepCount --by total"),
        ("stats-total.json", "stats stepCount --by total --json"),
        ("stats-hour.txt", "stats stepCount --by hour --from 2024-03-31"),
        (
            "stats-range.json",
            "stats stepCount --from 2024-03-31T08:05:00+02:00 --to 2024-04-01 --json"
        ),
        ("stats-week.json", "stats stepCount --by week --week-starts sunday --json"),
        ("stats-month.txt", "stats stepCount --by month"),
        ("stats-watch.txt", "stats stepCount --source Anna’s\u{A0}Apple\u{A0}Watch"),
        ("stats-heart.txt", "stats heartRate"),
        ("stats-heart.json", "stats heartRate --json"),
        ("stats-heart.csv", "stats heartRate --csv --by-source"),
        ("stats-oxygen.txt", "stats oxygenSaturation"),
        ("stats-weight.txt", "stats bodyMass --unit lb"),
        ("stats-sleep.txt", "stats sleepAnalysis"),
        ("stats-sleep.json", "stats sleepAnalysis --by-source --json"),
        ("stats-sleep.csv", "stats sleepAnalysis --csv"),
        ("stats-empty.txt", "stats stepCount --from 2030-01-01"),
        ("stats-empty.json", "stats dietaryWater --json"),
        ("explain.txt", "explain stepCount --day 2024-03-30"),
        ("explain-short-day.txt", "explain stepCount --day 2024-03-31"),
        ("explain-long-day.txt", "explain stepCount --day 2023-10-29"),
        ("explain-nothing.txt", "explain stepCount --day 2023-10-30"),
        ("stats-long-day.txt", "stats stepCount --by hour --to 2023-10-30"),
        (
            "explain-other-zone.txt",
            "explain stepCount --day 2024-03-31 --time-zone America/New_York"
        ),
        ("explain.json", "explain stepCount --day 2024-03-31 --json"),
        ("samples.txt", "samples bodyMass"),
        ("samples.json", "samples bodyMass --json"),
        ("samples.csv", "samples bodyMass --csv"),
        ("samples-empty.txt", "samples stepCount --from 2030-01-01"),
        ("samples-sleep.txt", "samples sleepAnalysis"),
        ("samples-sleep.json", "samples sleepAnalysis --limit 2 --json"),
        ("samples-merged.txt", "samples stepCount --merged"),
        ("samples-merged.json", "samples stepCount --merged --limit 3 --json"),
        ("workouts.txt", "workouts"),
        ("workouts.json", "workouts --json"),
        ("check.txt", "check"),
        ("check.json", "check --json"),
    ]

    @Test("the output equals the recorded one byte for byte", arguments: answers)
    func answer(name: String, arguments: String) throws {
        let store = try AnnasStore.shared.get()
        let run = try CommandRun(
            arguments.split(separator: " ").map(String.init), store: store.path)
        #expect(run.status == 0, "\(run.errors)")
        try Snapshot(name).check(run.output)
        if name.hasSuffix(".txt") {
            #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        } else {
            #expect(run.errors.isEmpty)
        }
        if name.hasSuffix(".json") {
            #expect(run.object != nil)
            #expect(run.output.hasSuffix("}\n"))
        }
    }

    /// The words of the command and of all its subcommands, as in ["openhealth", "imports",
    /// "list"].
    ///
    /// Hidden subcommands are left out. An alias has the help of its command.
    static let commands: [[String]] = words(of: OpenHealth.self, after: [])

    private static func words(
        of command: any ParsableCommand.Type, after parents: [String]
    ) -> [[String]] {
        let words = parents + [command._commandName]
        let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        return [words] + shown.flatMap { Self.words(of: $0, after: words) }
    }

    private static func file(ofHelp words: [String]) -> String {
        words.joined(separator: "-") + ".txt"
    }

    @Test("the help of every command equals the recorded one", arguments: commands)
    func help(words: [String]) throws {
        let names = Array(words.dropFirst())
        // `review` passes --help to its tool.
        let run = try CommandRun(
            names == [Review.name] ? ["help"] + names : names + ["--help"],
            environment: ["COLUMNS": "80"])
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        try Snapshot("help/" + Self.file(ofHelp: words)).check(run.output)
    }

    @Test("no recorded help is of a removed command")
    func staleHelp() throws {
        let folder = ProjectFiles.fixtures.appendingPathComponent("command/help").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(files).subtracting(Self.commands.map(Self.file(ofHelp:))).isEmpty)
        #expect(Self.commands.contains(["openhealth", "imports", "list"]))
    }

    @Test("an import reports whose data it has, the excluded sources and the next commands")
    func importReport() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun(
            ["import", AnnasStore.export], store: folder.path + "/health.sqlite")
        #expect(run.status == 0)
        let timeless = run.output.replacing(#/in [\d.]+ s\./#, with: "in 0.0 s.")
        try Snapshot("import.txt").check(timeless)
    }
}

/// A checked-in output.
struct Snapshot {
    private let url: URL

    init(_ name: String) {
        url = ProjectFiles.fixtures.appendingPathComponent("command/" + name)
    }

    func check(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["OPENHEALTH_UPDATE_FIXTURES"] == "1" {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            return
        }
        let expected = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        #expect(text == expected, "\(url.lastPathComponent)", sourceLocation: sourceLocation)
    }
}

@Suite("The README's picture", .inTestAll)
struct DemoPictureTests {
    @Test("the picture shows, line by line, what the demo prints today")
    func picture() throws {
        let demo = try CommandRun(["demo"])
        #expect(demo.status == 0)
        let printed = demo.output.split(separator: "\n").map(String.init)
        let path = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent("Documentation/demo.svg").path
        let svg = try String(contentsOfFile: path, encoding: .utf8)
        let shown = svg.split(separator: "\n").filter { $0.hasPrefix("<text") }.map { line in
            line.replacing(#/<[^>]*>/#, with: "").replacingOccurrences(of: "&lt;", with: "<")
                .replacingOccurrences(of: "&gt;", with: ">")
                .replacingOccurrences(of: "&amp;", with: "&")
        }
        #expect(shown.first == "$ openhealth demo")
        #expect(Array(shown.dropFirst()) == printed)
    }
}

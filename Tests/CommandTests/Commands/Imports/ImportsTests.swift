import Foundation
import HealthTesting
import Testing

/// `openhealth imports`: two exports of Anna, the changes of the second one, and its undo.
@Suite(.inTestAll) struct ImportsTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path + "/health.sqlite"
        try #require(run("import", AnnasStore.export).status == 0)
    }

    private func run(_ words: String...) throws -> CommandRun {
        try CommandRun(words, store: store)
    }

    /// Writes Anna's export a month later: one weight corrected, a walk deleted and another added,
    /// the Watch renamed.
    private func later(_ name: String = "later.xml", born: String = "1990-01-01") throws -> String {
        var lines = try String(contentsOfFile: AnnasStore.export, encoding: .utf8)
            .replacing("2024-04-01 10:00:00 +0200", with: "2024-05-01 10:00:00 +0200")
            .replacing("1990-01-01", with: born)
            .replacing("value=\"69.85\"", with: "value=\"70.1\"")
            .replacing("Anna’s Apple\u{a0}Watch", with: "Anna’s Ultra")
            .split(separator: "\n").map(String.init)
        let walk = try #require(lines.firstIndex { $0.contains("value=\"1144\"") })
        lines[walk] = lines[walk].replacing("2024-03-31 12:", with: "2024-04-20 12:")
        let path = folder.path + "/" + name
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Returns the answers of Anna's store.
    private func answers() throws -> [String] {
        try [
            "types --json", "sources --json", "sources stepCount --json", "stats stepCount --json",
            "samples bodyMass --json", "samples stepCount --json", "workouts --json",
            "explain stepCount --day 2024-03-31 --json", "samples sleepAnalysis --json",
            "check --json",
        ].map { arguments in
            let run = try CommandRun(arguments.split(separator: " ").map(String.init), store: store)
            #expect(run.status == 0, "\(arguments)")
            return run.output
        }
    }

    @Test("the list has the outcome of each import's elements, and the ledger as JSON")
    func list() throws {
        try #require(run("import", later()).status == 0)
        let text = try run("imports").output
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        // Without the current date.
        try Snapshot("imports.txt").check(
            text.replacing(#/\.xml on [^.]+\./#, with: ".xml.")
                .replacing(#/20(?:2[5-9]|[3-9]\d)-\d\d-\d\d/#, with: "0000-00-00"))
        let imports = try #require(run("imports", "--json").object?["imports"] as? [[String: Any]])
        #expect(imports.map { $0["number"] as? Int } == [1, 2])
        let second = imports[1]
        #expect(second["kind"] as? String == "snapshot")
        #expect(second["new"] as? Int == 1)
        #expect(second["changed"] as? Int == 1)
        #expect(second["vanished"] as? Int == 1)
        #expect(second["unchanged"] as? Int == 26)
        #expect((second["ledger"] as? [String: Any])?["kind"] as? String == "snapshot")
    }

    @Test("the diff lists each sample with its value before and after")
    func samples() throws {
        try #require(run("import", later()).status == 0)
        let answer = try run("imports", "diff", "2", "--samples", "--json")
        let samples = try #require(
            answer.object?["samples"] as? [[String: Any]], "\(answer.errors)")
        func value(_ sample: [String: Any]?, _ when: String) -> Double? {
            (sample?[when] as? [String: Any])?["value"] as? Double
        }
        let changed = samples.first { $0["change"] as? String == "changed" }
        #expect(changed?["type"] as? String == "HKQuantityTypeIdentifierBodyMass")
        #expect(value(changed, "before") == 69.85)
        #expect(value(changed, "after") == 70.1)
        let removed = samples.first { $0["change"] as? String == "removed" }
        #expect(value(removed, "before") == 1144)
        #expect(removed?["after"] == nil)
        let new = samples.first { $0["change"] as? String == "new" }
        #expect(value(new, "after") == 1144)
        #expect((new?["start"] as? String)?.hasPrefix("2024-04-20T12:") == true)
        #expect(samples.count == 3)
        let text = try run("imports", "diff", "2", "--samples", "--limit", "1")
        #expect(text.output.contains("2 more samples aren’t listed; --limit lists more."))
    }

    @Test("an import waits for another one with --wait, and fails without")
    func waiting() async throws {
        let lock = store + ".lock"
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = [
            "python3", "-c",
            "import fcntl,sys,time\nf=open(sys.argv[1],'a+')\nfcntl.flock(f,fcntl.LOCK_EX)\n"
                + "fcntl.lockf(f,fcntl.LOCK_EX)\nprint('held',flush=True)\ntime.sleep(3)", lock,
        ]
        let output = Pipe()
        holder.standardOutput = output
        try holder.run()
        defer { holder.terminate() }
        _ = output.fileHandleForReading.availableData
        let refused = try run("import", AnnasStore.export)
        #expect(refused.status == 1)
        let waited = try run("import", AnnasStore.export, "--wait")
        #expect(waited.status == 0, "\(waited.errors)")
        #expect(waited.errors.contains("Waiting for another import"))
    }

    @Test("the diff of an import equals the recorded one, as text and as JSON")
    func diff() throws {
        try #require(run("import", later()).status == 0)
        let text = try run("imports", "diff", "2")
        #expect(text.status == 0, "\(text.errors)")
        try Snapshot("imports-diff.txt").check(text.output)
        try Snapshot("imports-diff.json").check(run("imports", "diff", "2", "--json").output)
        let unknown = try run("imports", "diff", "9")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("There is no import 9."))
    }

    @Test("an undo needs confirmation, restores every result, and allows the same import again")
    func undo() throws {
        let before = try answers()
        let path = try later()
        try #require(run("import", path).status == 0)
        let brought = try answers()
        #expect(brought != before)
        let unasked = try run("imports", "undo", "2")
        #expect(unasked.status == 64)
        #expect(unasked.errors.contains("--yes"))
        #expect(try answers() == brought)
        let oldest = try run("imports", "undo", "1", "--yes")
        #expect(oldest.status == 1)
        #expect(oldest.errors.contains("undo import 2 first"))
        let undone = try run("imports", "undo", "2", "--yes")
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(
            undone.output == "Import 2 is undone: 1 sample removed, 1 changed back, 1 restored.\n")
        #expect(try answers() == before)
        try #require(run("import", path).status == 0)
        #expect(try answers() == brought)
    }

    @Test("an undo that later choices block is rejected with a list of them")
    func refusal() throws {
        let path = try later()
        let ring = """
             <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Ring" unit="count/min" \
            startDate="2024-04-20 08:00:00 +0200" endDate="2024-04-20 08:00:00 +0200" value="61"/>
            </HealthData>
            """
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing("</HealthData>", with: ring)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try #require(run("import", path).status == 0)
        try #require(run("sources", "order", "heartRate", "Ring").status == 0)
        let brought = try answers()
        for words in [["2"], ["2", "--yes"], ["2", "--yes", "--json"]] {
            let refused = try CommandRun(["imports", "undo"] + words, store: store)
            #expect(refused.status == 1 && refused.output.isEmpty)
            try Snapshot("imports-undo.txt").check(refused.errors)
        }
        #expect(try answers() == brought)
        try #require(run("sources", "reset", "heartRate").status == 0)
        #expect(try run("imports", "undo", "2", "--yes").status == 0)
    }

    @Test("open asks about another person as import does, with the same option")
    func opened() throws {
        let before = try answers()
        let path = try later(born: "1962-07-08")
        let refused = try RunningCommand(["open", path], store: store)
        defer { refused.kill() }
        try refused.waitForMessage("--same-person")
        #expect(refused.errors.contains("the date of birth differs"))
        #expect(refused.end() == 1)
        #expect(try answers() == before)
        let serving = try Serving(["open", path, "--same-person"], store: store)
        defer { serving.command.kill() }
        #expect(serving.command.interrupt() == 0)
        #expect(try answers() != before)
    }

    @Test("an export whose date of birth differs is refused with a question")
    func anotherBirth() throws {
        let before = try answers()
        let path = try later(born: "1962-07-08")
        let refused = try run("import", path)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("the date of birth differs"))
        #expect(refused.errors.contains("--same-person"))
        #expect(!refused.errors.contains("1962") && !refused.errors.contains("1990"))
        #expect(try answers() == before)
        #expect(try run("import", path, "--same-person").status == 0)
        #expect(try run("import", path).status == 0, "it is known by now")
    }

    @Test("an export without a source in common is refused, a renamed source is one in common")
    func noSource() throws {
        let stranger = folder.path + "/stranger.xml"
        let text = """
            <HealthData locale="de_DE"><ExportDate value="2024-06-01 10:00:00 +0200"/>
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ben’s iPhone" \
            unit="count" startDate="2024-05-01 08:00:00 +0200" \
            endDate="2024-05-01 08:10:00 +0200" value="100"/></HealthData>
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: stranger))
        let before = try answers()
        let refused = try run("import", stranger)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("shares no source"))
        #expect(try answers() == before)
        #expect(try run("import", stranger, "--as", "Ben").status == 0)
        #expect(try run("import", stranger, "--same-person").status == 0)
    }
}

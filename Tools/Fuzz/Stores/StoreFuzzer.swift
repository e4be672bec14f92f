import Foundation

/// Damages a store and runs commands on it, each of which must return a result or an error, without
/// a crash.
final class StoreFuzzer: Fuzzer {
    private let command: TestedCommand
    private let findings: Findings
    private let oracles: Oracles
    private let templates: TemplateStores
    private let store: String
    private let export: String
    private var stores = 0
    private var commands = 0
    private var refused = 0
    private var next = 0

    var counts: [(String, Int)] {
        [("stores", stores), ("commands", commands), ("refused", refused)]
    }

    /// The number of commands to run on one damaged store.
    private static let commandsPerStore = 5

    init(_ command: TestedCommand, _ findings: Findings) throws {
        self.command = command
        self.findings = findings
        oracles = Oracles(findings: findings, secrets: TemplateStores.secrets)
        templates = try TemplateStores(command, [.rich, .simulated])
        store = command.folder + "/s.sqlite"
        export = command.folder + "/e.xml"
        var random = SeededRandom(seed: 14, fuzzer: "export", number: 1)
        var grammar = ExportGrammar(try Catalogue())
        grammar.records = 20
        let document = ExportDocument(grammar.document(&random), isCorrupted: false, &random)
        Folder.write(document.bytes, to: export)
    }

    private var commandLines: [[String]] {
        let out = command.folder + "/out"
        let week = ["--from", "2024-03-01", "--to", "2024-04-01"]
        return [
            ["check"], ["check", "--rebuild"], ["types", "--json"], ["sources"], ["summary"],
            ["sources", "stepCount", "--json"], ["summary", "--json", "--month"], ["imports"],
            ["stats", "stepCount", "--by", "day", "--json"],
            ["stats", "heartRate", "--by", "month"],
            ["stats", "sleepAnalysis", "--by", "week"], ["stats", "bodyMass", "--by-source"],
            ["stats", "stepCount", "--by", "hour"] + week, ["imports", "--json"],
            ["explain", "stepCount", "--day", "2024-03-12"], ["samples", "stepCount", "--merged"],
            ["samples", "heartRate", "--json"], ["samples", "bodyMass", "--csv"],
            ["workouts", "--json"], ["workouts"], ["weight", "list"], ["weight", "trend"],
            ["weight", "log", "80kg"], ["weight", "remove", "1", "--with-notes"],
            ["weight", "edit", "1", "--note", "n"], ["imports", "diff", "2"],
            ["imports", "diff", "1", "--json"], ["imports", "undo", "2", "--yes"],
            ["imports", "undo", "1", "--yes"], ["grants"],
            ["grants", "allow", "a", "--read", "all"],
            ["sources", "order", "stepCount", "Zqsource"], ["sources", "reset", "stepCount"],
            ["sources", "exclude", "heartRate", "Zqsource"],
            ["sources", "identify", "Health", "a.b"],
            ["sources", "calibrate", "stepCount", "2024-03-12=8000", "2024-03-13=9000"],
            ["import", export, "--json", "--same-person"],
            ["export", "--format", "csv", "--out", out, "--force"],
            ["export", "--format", "jsonl", "--out", "-"],
            ["export", "--format", "sqlite", "--out", out, "--force", "--characteristics"],
            ["export", "--format", "apple", "--out", out, "--force"],
            ["export", "stepCount", "--format", "csv", "--merged", "--out", "-"],
        ]
    }

    func runCase(_ number: Int, _ random: inout SeededRandom) throws {
        stores += 1
        templates.place(random.percent(80) ? .rich : .simulated, at: store)
        defer { Folder.removeStore(store) }
        var damage = StoreDamage(path: store)
        damage.damage(&random)
        let all = commandLines
        let kept = command.folder + "/s.damaged.sqlite"
        // The reproduction needs the store before the commands changed it.
        Folder.copy(store, to: kept)
        var lines = damage.lines
        for _ in 0..<StoreFuzzer.commandsPerStore {
            let arguments = all[random.below(all.count)] + ["--store", store]
            lines.append(command.shellLine(arguments))
            commands += 1
            let before = findings.counts
            let run = command.run(arguments)
            if run.status == 1 { refused += 1 }
            oracles.check(run, command, arguments, files: [kept, store])
            checkAnswer(run, arguments, kept, lines)
            if findings.counts != before { note(lines) }
        }
        if random.percent(4) { serve(kept, &lines) }
        Folder.remove(command.folder + "/out")
    }

    private func checkAnswer(
        _ run: CommandRun, _ arguments: [String], _ kept: String, _ lines: [String]
    ) {
        guard run.status == 0, arguments.contains("--json"), !run.isTruncated,
            !Oracles.isJSON(run.output)
        else { return }
        findings.add(
            Finding(
                kind: "no JSON from \(arguments[0])", words: "", files: [kept], lines: lines))
    }

    /// Saves the commands that led to a finding beside it.
    private func note(_ lines: [String]) {
        let place = "\(findings.folder)/store-\(findings.seed)-\(findings.number).lines"
        try? (lines.joined(separator: "\n") + "\n").write(
            toFile: place, atomically: true, encoding: .utf8)
    }

    /// Requests all pages of a damaged store. A server that starts must respond, with any status,
    /// and keep running.
    private func serve(_ kept: String, _ lines: inout [String]) {
        guard let server = PageServer(command, store: store) else { return }
        defer { server.end() }
        commands += 1
        for path in [
            "/", "/type", "/sleep", "/workouts", "/weight", "/why", "/data", "/check-up",
        ] {
            let connection = Connection(port: server.port)
            connection?.send(server.request(path))
            let response = connection?.response(timeout: 20)
            lines.append("GET \(path)")
            if response == nil || !server.isAlive {
                findings.add(
                    Finding(
                        kind: "server ends at \(path)", words: "over a damaged store",
                        files: [kept], lines: lines))
                return
            }
        }
        let errorOutput = server.errorOutput
        for secret in TemplateStores.secrets where errorOutput.contains(secret) {
            findings.add(
                Finding(
                    kind: "health value in the server's error", words: "it holds \(secret)",
                    files: [kept], lines: lines))
        }
    }

    func end() {}
}

import Foundation

/// Runs generated command lines over stores of several kinds.
final class CommandFuzzer: Fuzzer {
    private let command: TestedCommand
    private let findings: Findings
    private let oracles: Oracles
    private let templates: TemplateStores
    private let grammar: CommandGrammar
    private let store: String
    private var lines = 0
    private var exits: [Int32: Int] = [:]
    /// The commands run since the store was created.
    private var before: [String] = []

    /// The number of command lines for one copy of a store.
    private static let linesPerStore = 25

    var counts: [(String, Int)] {
        [("command lines", lines)]
            + exits.sorted { $0.key < $1.key }.map { ("exits of \($0.key)", $0.value) }
    }

    init(_ command: TestedCommand, _ findings: Findings) throws {
        self.command = command
        self.findings = findings
        oracles = Oracles(findings: findings)
        templates = try TemplateStores(command)
        store = command.folder + "/s.sqlite"
        grammar = CommandGrammar(
            catalogue: try Catalogue(), folder: command.folder, store: store,
            files: try CommandFuzzer.files(command, store))
    }

    /// Creates files of many kinds for path arguments, and returns their paths and the store's.
    private static func files(_ command: TestedCommand, _ store: String) throws -> [String] {
        let folder = command.folder
        var random = SeededRandom(seed: 14, fuzzer: "files", number: 0)
        var grammar = ExportGrammar(try Catalogue())
        let good = ExportDocument(grammar.document(&random), isCorrupted: false, &random)
        Folder.write(good.bytes, to: folder + "/good.xml")
        let entry = ZipBuilder.Entry(name: Array("e/export.xml".utf8), content: good.bytes)
        Folder.write(ZipBuilder(entries: [entry]).bytes(&random), to: folder + "/good.zip")
        Folder.write(random.bytes(5000), to: folder + "/random")
        Folder.write([], to: folder + "/nothing")
        Folder.write([0xFF, 0xD8, 0xFF, 0xE0] + random.bytes(900), to: folder + "/photo.jpg")
        mkfifo(folder + "/fifo", 0o600)
        symlink(folder + "/loop", folder + "/loop")
        symlink("nowhere", folder + "/dangling")
        symlink("/dev/zero", folder + "/endless")
        try? FileManager.default.createDirectory(
            atPath: folder + "/folder", withIntermediateDirectories: true)
        return [
            "good.xml", "good.zip", "random", "nothing", "photo.jpg", "fifo", "loop", "dangling",
            "endless", "folder",
        ].map { "\(folder)/\($0)" } + [store]
    }

    func runCase(_ number: Int, _ random: inout SeededRandom) throws {
        // Every case creates its own store, so that it can be repeated alone.
        let kind = random.pick(TemplateStores.Kind.allCases, or: .rich)
        before = []
        if random.percent(92) {
            templates.place(kind, at: store)
        } else {
            Folder.removeStore(store)
        }
        for _ in 0..<CommandFuzzer.linesPerStore { runLine(&random) }
        for name in ["out", "new", "sim.zip", "truth.json"] {
            Folder.remove("\(command.folder)/\(name)")
        }
    }

    private func runLine(_ random: inout SeededRandom) {
        let line = grammar.line(&random)
        lines += 1
        before.append(command.shellLine(line.arguments))
        let zone = random.percent(85) ? "Europe/Berlin" : random.pick(Hostile.zones)
        var command = command
        if random.percent(5) {
            command.environmentVariables = ["OPENHEALTH_STEP_GOAL=" + random.pick(Hostile.numbers)]
        }
        let run = command.run(
            line.arguments, zone: zone,
            termination: line.isLongRunning ? .signal(after: 0.25) : .exit)
        if let status = run.status { exits[status, default: 0] += 1 }
        let known = findings.counts
        // Ending a long-running command with a signal is not a failure.
        let isEnded = line.isLongRunning && run.signal == SIGTERM
        if !isEnded { oracles.check(run, command, line.arguments, files: copies()) }
        checkAnswer(run, line)
        if findings.counts != known { note() }
    }

    private func checkAnswer(_ run: CommandRun, _ line: CommandGrammar.Line) {
        guard let status = run.status, [0, 2, 3].contains(status), !run.isTruncated,
            !line.isLongRunning
        else {
            return
        }
        let name = line.arguments[0]
        func found(_ kind: String, _ words: String) {
            findings.add(
                Finding(kind: "\(kind) from \(name)", words: words, files: copies(), lines: before))
        }
        if line.isJSONLines {
            if !Oracles.isJSONLines(run.output) { found("no JSON lines", "") }
        } else if line.isJSON, !run.output.isEmpty, name != "export", name != "review",
            !Oracles.isJSON(run.output)
        {
            found("no JSON", "")
        }
        if line.isCSV, !line.arguments.contains("--json") {
            let csv = Oracles.CSV(run.output)
            if csv.isOpen || csv.columns.count > 1 {
                found("ragged CSV", "columns \(csv.columns.sorted())")
            }
            if csv.hasFormula { found("formula in CSV", "a field begins with = or @") }
        }
        let isText = !line.isJSONLines && !line.isCSV && !line.isJunk && name != "export"
        if isText, !line.arguments.contains("--json"), Oracles.hasControls(run.output) {
            found("control characters", "in text for people")
        }
    }

    /// The files of a finding: the store in its current state. The lines of the finding list the
    /// commands before.
    private func copies() -> [String] { [store] }

    private func note() {
        let place = "\(findings.folder)/commands-\(findings.seed)-\(findings.number).lines"
        try? (before.joined(separator: "\n") + "\n").write(
            toFile: place, atomically: true, encoding: .utf8)
    }

    func end() {}
}

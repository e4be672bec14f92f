import Foundation

/// Imports one to three generated exports, many of them damaged, into a store. Some imports are
/// repeated or undone.
final class ImportFuzzer: Fuzzer {
    private let command: TestedCommand
    private let findings: Findings
    private let oracles: Oracles
    private let files: ExportFiles
    private let catalogue: Catalogue
    private var imports = 0
    private var imported = 0
    private var refused = 0
    private var processes = 0
    private let store: String

    var counts: [(String, Int)] {
        [
            ("files", imports), ("came in", imported), ("refused", refused),
            ("processes", processes),
        ]
    }

    init(_ command: TestedCommand, _ findings: Findings) throws {
        self.command = command
        self.findings = findings
        oracles = Oracles(findings: findings)
        files = ExportFiles(folder: command.folder)
        catalogue = try Catalogue()
        store = command.folder + "/s.sqlite"
    }

    func runCase(_ number: Int, _ random: inout SeededRandom) throws {
        var lines: [String] = []
        var written: [String] = []
        defer {
            Folder.removeStore(store)
            written.forEach(Folder.remove)
        }
        let day = 8_470 - random.below(3_000)
        for index in 0...random.weighted([(60, 0), (25, 1), (15, 2)], or: 0) {
            var grammar = ExportGrammar(catalogue)
            let isCorrupted = random.percent(65)
            grammar.hostility = random.percent(isCorrupted ? 60 : 40) ? 1 + random.below(12) : 0
            grammar.isMisnested = isCorrupted
            grammar.records = 2 + random.below(40)
            // A later export overlaps the period of the earlier one.
            grammar.day = day + index * 10
            let file = files.write(index, &grammar, isCorrupted: isCorrupted, &random)
            written.append(file.path)
            imports += 1
            if random.percent(12) {
                importAndUndo(file, written, &lines, &random)
                continue
            }
            importing(file, written, &lines, &random)
            if random.percent(25) { importAgain(file, written, &lines) }
        }
        if FileManager.default.fileExists(atPath: store) {
            if random.percent(35) { runQuery(written, &lines, &random) }
            if random.percent(70) { check(written, &lines) }
        }
    }

    @discardableResult
    private func run(
        _ arguments: [String], _ exits: Set<Int32>, _ written: [String], _ lines: inout [String]
    ) -> CommandRun? {
        let all = arguments + ["--store", store]
        lines.append(command.shellLine(all))
        processes += 1
        let run = command.run(all)
        let isExpected = oracles.check(run, command, all, exits: exits, files: written)
        return isExpected ? run : nil
    }

    private func found(_ kind: String, _ words: String, _ written: [String], _ lines: [String]) {
        findings.add(Finding(kind: kind, words: words, files: written, lines: lines))
    }

    /// Imports a file and checks the report. An undamaged file must be imported completely.
    ///
    /// - Returns: Whether the file was imported completely or in part.
    @discardableResult
    private func importing(
        _ file: ExportFile, _ written: [String], _ lines: inout [String],
        _ random: inout SeededRandom
    ) -> Bool {
        var arguments = ["import", file.path, "--json", "--same-person"]
        if random.percent(10) { arguments.append("--partial") }
        if random.percent(10) { arguments += ["--time-zone", "America/New_York"] }
        guard let run = run(arguments, [0, 1, 2], written, &lines) else { return false }
        guard run.status != 1 else {
            refused += 1
            if file.isValid {
                found("good export refused", String(run.errorText.prefix(200)), written, lines)
            }
            return false
        }
        imported += 1
        let report = Oracles.object(run.output)
        if report.isEmpty { found("import report is no JSON", "", written, lines) }
        checkLedger(report, written, lines)
        if let known = file.known {
            if run.status == 2 { found("good export called damaged", "", written, lines) }
            checkCounts(report, known, written, lines)
        }
        return true
    }

    /// Compares the counted elements of a valid export with the expected counts.
    private func checkCounts(
        _ report: [String: Any], _ known: ExportDocument.Known, _ written: [String],
        _ lines: [String]
    ) {
        let elements = report["elements"] as? [String: Any] ?? [:]
        let expected = [
            ("Record", known.records), ("Workout", known.workouts),
            ("Correlation", known.correlations), ("ActivitySummary", known.rings),
        ]
        for (element, count) in expected {
            let reported = elements[element] as? Int ?? 0
            if reported != count {
                found("count of \(element)", "written \(count), told \(reported)", written, lines)
            }
        }
    }

    /// Checks that every element was read, cut short or superseded, and that every read element has
    /// exactly one of five outcomes.
    private func checkLedger(_ report: [String: Any], _ written: [String], _ lines: [String]) {
        let elements = report["elements"] as? [String: Any] ?? [:]
        // Electrocardiograms and clinical records are records of files. Audiograms and
        // prescriptions are counted with records.
        let files = report["files"] as? [String: Any] ?? [:]
        let others = [
            files["electrocardiograms"], files["clinicalRecords"], elements["Audiogram"],
            elements["VisionPrescription"],
        ].reduce(0) { $0 + ($1 as? Int ?? 0) }
        for (element, key) in ImportFuzzer.tallies {
            let tally = (report[key] as? [String: Any] ?? [:]).compactMapValues { $0 as? Int }
            let parts = ["new", "unchanged", "changed", "repeated", "quarantined"]
                .map { tally[$0] ?? 0 }
            let read = tally["read"] ?? 0
            if read != parts.reduce(0, +) || parts.contains(where: { $0 < 0 }) {
                found("ledger of \(key)", "\(tally)", written, lines)
            }
            let count =
                (elements[element] as? Int ?? 0) + (element == "Record" ? others : 0)
            if count != read + (tally["cutShort"] ?? 0) + (tally["superseded"] ?? 0) {
                found("elements of \(element)", "\(count) elements, \(tally)", written, lines)
            }
        }
    }

    private static let tallies = [
        ("Record", "records"), ("Correlation", "correlations"), ("Workout", "workouts"),
        ("ActivitySummary", "activitySummaries"),
    ]

    /// Imports the same file again, which must add, change and remove no sample.
    private func importAgain(_ file: ExportFile, _ written: [String], _ lines: inout [String]) {
        guard FileManager.default.fileExists(atPath: store),
            let run = run(
                ["import", file.path, "--json", "--same-person"], [0, 1, 2], written, &lines),
            run.status != 1
        else { return }
        let report = Oracles.object(run.output)
        checkLedger(report, written, lines)
        for (_, key) in ImportFuzzer.tallies {
            let tally = report[key] as? [String: Any] ?? [:]
            let changes = ["new", "changed"].map { tally[$0] as? Int ?? 0 }
            if changes != [0, 0] {
                found("same file again: \(key)", "new and changed \(changes)", written, lines)
            }
        }
        if report["vanished"] as? Int ?? 0 != 0 {
            found("same file again: vanished", "\(report["vanished"] ?? "")", written, lines)
        }
    }

    /// Imports a file and undoes the import, after which `types` must show the same as before.
    private func importAndUndo(
        _ file: ExportFile, _ written: [String], _ lines: inout [String],
        _ random: inout SeededRandom
    ) {
        var before: CommandRun?
        if FileManager.default.fileExists(atPath: store) {
            before = run(["types", "--json"], [0], written, &lines)
            if before == nil { return }
        }
        guard importing(file, written, &lines, &random),
            let list = run(["imports", "--json"], [0], written, &lines)
        else { return }
        let count = (Oracles.object(list.output)["imports"] as? [Any])?.count ?? 0
        guard let undo = run(["imports", "undo", String(count), "--yes"], [0], written, &lines),
            undo.status == 0, let after = run(["types", "--json"], [0], written, &lines)
        else { return }
        if let before, before.output != after.output {
            found("undo leaves other types", after.outputText, written, lines)
        }
        check(written, &lines)
    }

    /// Runs a random reading command on the imported data.
    private func runQuery(
        _ written: [String], _ lines: inout [String], _ random: inout SeededRandom
    ) {
        let type = catalogue.quantity(&random).name
        let queries = [
            ["summary", "--json"], ["types", "--json"], ["sources", "--json"],
            ["workouts", "--json"],
            ["stats", type, "--by", "day", "--json"], ["stats", "sleepAnalysis", "--by", "month"],
            ["stats", type, "--by", "year", "--by-source"], ["samples", type, "--json"],
            ["weight", "trend", "--json"], ["weight", "list"], ["summary", "--month"],
            ["samples", type, "--merged", "--csv"], ["explain", type, "--day", "2024-03-10"],
            ["export", "--format", "jsonl", "--out", "-"], ["imports", "diff", "1", "--json"],
            ["export", "--format", "csv", "--out", "-"], ["sources", type],
        ]
        let query = random.pick(queries, or: ["types"])
        guard let run = run(query, Oracles.exits, written, &lines) else { return }
        if query.contains("--json"), run.status == 0, !run.isTruncated, !Oracles.isJSON(run.output)
        {
            found("no JSON from \(query[0])", "", written, lines)
        }
    }

    private func check(_ written: [String], _ lines: inout [String]) {
        guard let run = run(["check"], Oracles.exits, written, &lines) else { return }
        // A store remains valid after an undo has emptied it.
        if run.status != 0 {
            found("unsound store", String(run.outputText.prefix(300)), written, lines)
        }
    }

    func end() {}
}

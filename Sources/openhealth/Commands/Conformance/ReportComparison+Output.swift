import HealthDashboard
import HealthStorage

extension ReportComparison {
    enum Listing { case differences, allTests }

    // MARK: - JSON

    var json: JSONText {
        let counts = counts
        return .object([
            "report": Self.json(report), "here": Self.json(here),
            "counts": .object(
                State.allCases.map { ($0.rawValue, .integer(counts[$0] ?? 0)) }),
            "tests": .array(
                tests.map { test in
                    .object([
                        "rule": .string(test.rule), "test": .string(test.name),
                        "title": .string(test.title), "state": .string(test.state.rawValue),
                        "here": test.here.map(Self.json), "report": test.report.map(Self.json),
                    ])
                }),
        ])
    }

    private static func json(_ report: SuiteReport) -> JSONText {
        let system = report.system
        return .object([
            "healthKit": .string(system.healthKit), "os": .string(system.os),
            "osVersion": .string(system.osVersion), "model": .string(system.model),
            "isSimulator": .bool(system.isSimulator), "suite": .integer(report.suite),
        ])
    }

    private static func json(_ result: SuiteReport.Result) -> JSONText {
        .object([
            "outcome": .string(result.outcome.rawValue),
            "reason": result.reason.map(JSONText.string),
            "failures": .array(result.failures.map(JSONText.string)),
            "measured": .array(
                result.measured.map { entry in
                    .object([
                        "name": .string(entry.name), "value": entry.value.json,
                        "model": entry.model.map(JSONText.string),
                    ])
                }),
        ])
    }

    // MARK: - Text

    func text(_ listing: Listing) -> String {
        var paragraphs = [summary.wrapped() + "\n"]
        let listed = tests.filter { listing == .allTests || $0.state != .equal }
        if !listed.isEmpty {
            var table = Table([
                .text("rule", maximumWidth: 6), .text("test", maximumWidth: 34),
                .text("here", maximumWidth: 17), .text("report", maximumWidth: 17),
            ])
            for test in listed { table.rows += rows(test, listing) }
            paragraphs.append(table.text)
        }
        let notes = listed.flatMap(notes)
        if !notes.isEmpty { paragraphs.append(notes.map { $0.wrapped() + "\n" }.joined()) }
        return paragraphs.joined(separator: "\n")
    }

    private var summary: String {
        let system = report.system
        let counts = counts
        let parts = State.allCases.compactMap { state in counts[state].map(state.words) }
        var text =
            "HealthKit (\(system.healthKit.printable)) on \(system.os.printable)"
            + (system.osVersion.isEmpty ? "" : " \(system.osVersion.printable)")
            + (system.model.isEmpty ? "" : ", \(system.model.printable)")
            + (system.isSimulator ? " (simulator)" : "")
            + ", compared with this one: \(parts.joined(separator: ", "))."
        if report.suite != here.suite {
            text +=
                " The report is of revision \(report.suite) of the suite, this command has "
                + "revision \(here.suite): inputs of tests may differ."
        }
        return text
    }

    private func rows(_ test: Test, _ listing: Listing) -> [[String]] {
        let outcomes = [test.here, test.report].map { $0?.outcome.word ?? "–" }
        let shown = test.measured.filter {
            listing == .allTests || test.state == .differs && !$0.isEqual
        }
        return [[test.rule, test.title] + outcomes]
            + shown.map { entry in
                ["", "  " + entry.name] + [entry.here, entry.report].map { $0?.value.word ?? "–" }
            }
    }

    /// Returns the models, failures and reasons, which are too long for the table.
    private func notes(_ test: Test) -> [String] {
        let models = test.measured.compactMap { entry -> String? in
            let (here, report) = (entry.here?.model, entry.report?.model)
            guard test.state == .differs, here != report else { return nil }
            let words = [here.map { "here “\($0)”" }, report.map { "in the report “\($0)”" }]
            return "\(entry.name): " + words.compactMap { $0 }.joined(separator: ", ")
        }
        let failures =
            (test.report?.failures.isEmpty ?? true)
            ? [] : ["failed at " + (test.report?.failures ?? []).joined(separator: ", ")]
        let reasons = [test.report?.reason].compactMap { $0 }.map { "not run: \($0)" }
        return (models + failures + reasons).map { "§\(test.rule) \($0)".printable + "." }
    }
}

extension ReportComparison.State {
    /// Returns a number of tests with the state's words: "2 different".
    fileprivate func words(_ count: Int) -> String {
        let words =
            switch self {
            case .equal: "equal"
            case .differs: "different"
            case .notRun: "not run"
            case .onlyHere: "only here"
            case .onlyInReport: "only in the report"
            }
        return "\(count) \(words)"
    }
}

extension SuiteReport.Outcome {
    fileprivate var word: String { self == .notRun ? "not run" : rawValue }
}

extension SuiteReport.Value {
    fileprivate var word: String {
        switch self {
        case .number(let number): JSONText.number(number)
        case .missing: "no value"
        case .notFinite(let word): word
        }
    }

    fileprivate var json: JSONText {
        switch self {
        case .number(let number): .number(number)
        case .missing: .null
        case .notFinite(let word): .string(word)
        }
    }
}

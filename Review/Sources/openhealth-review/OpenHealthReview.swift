import ArgumentParser
import Foundation
import HealthReview

/// The `openhealth-review` command: finds HealthKit mistakes in Swift source.
@main
struct OpenHealthReview: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Review.tool,
        abstract: "Finds mistakes in Swift code that uses HealthKit.",
        usage: """
            openhealth-review [PATH…] [options]
            openhealth-review --rules
            openhealth-review --explain RULE
            """,
        discussion: """
            Findings are written to standard output in the format of compilers, messages to \
            standard error. A comment with a reason hides a finding:
              // openhealth:ignore RULE[, RULE] why the code is right here

            Exit status: 0 no findings; 1 failure; 2 a file could not be read or is not Swift; \
            3 findings at or above --fail-on; 64 wrong usage.
            """,
        version: Review.version)

    @Argument(
        help: ArgumentHelp(
            "Swift files and folders. Default: the current folder.", valueName: "path"))
    var paths: [String] = ["."]

    @Flag(
        help: """
            The output format: JSON, SARIF 2.1.0 for code hosts, or lines for a build phase of \
            Xcode.
            """)
    var format: Format?

    @Flag(help: "Also show notes: what is worth a look.")
    var notes = false

    @Option(
        help: ArgumentHelp(
            "The lowest severity that fails a run: note (which also shows them), warning or error. "
                + "Default: the settings' failOn, else warning; with --xcode error.",
            valueName: "severity"))
    var failOn: Threshold?

    @Option(
        help: ArgumentHelp(
            "The settings file. Default: .openhealth-review.json in the path's folder or above.",
            valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Show only what the change since this git revision has brought: findings that the "
                + "common ancestor doesn't have.", valueName: "ref"))
    var changedSince: String?

    @Flag(help: "Correct what can be corrected mechanically, and show the rest.")
    var fix = false

    @Option(help: ArgumentHelp("Hide the findings that are in this file.", valueName: "file"))
    var baseline: String?

    @Option(
        help: ArgumentHelp("Write all findings to this file, for --baseline.", valueName: "file"))
    var writeBaseline: String?

    @Flag(help: "Also review code that imports XCTest or Testing.")
    var tests = false

    @Flag(help: "List the rules.")
    var rules = false

    @Option(help: ArgumentHelp("Print the page of a rule.", valueName: "rule"))
    var explain: String?

    enum Format: String, EnumerableFlag {
        case json, sarif, xcode
    }

    func run() throws {
        if rules { return try Stream.output.write(RuleText.list) }
        if let explain { return try Stream.output.write(RuleText.page(explain)) }
        try review()
    }

    private func review() throws {
        let settings = try config.map { try ReviewSettings(file: $0) } ?? .found(for: paths)
        // An unreadable baseline or revision is reported before the review starts.
        let baseline = try baseline.map { ($0, try Baseline(file: $0)) }
        let revision = try changedSince.map { try GitRevision(since: $0, paths: paths) }
        let review = Review(
            paths: paths, settings: settings, testCode: tests ? .reviewed : .excluded)
        var outcome = try review.run()
        if let writeBaseline {
            try Baseline(of: outcome, for: writeBaseline).write(to: writeBaseline)
            Stream.message(
                outcome.summary + "Written to \(writeBaseline): \(outcome.findings.count).\n")
            throw ExitCode(outcome.isComplete ? 0 : 2)
        }
        if let (file, baseline) = baseline {
            let gone = baseline.hide(in: &outcome)
            if !gone.isEmpty {
                Stream.message(
                    "In \(file) and no longer found; --write-baseline writes it anew:\n"
                        + gone.map { "  \($0)\n" }.joined())
            }
        }
        try revision?.hideOld(in: &outcome, of: review, after: baseline?.1)
        let lowest =
            failOn?.severity ?? settings.failOn ?? (format == .xcode ? .error : .warning)
        if !notes, lowest != .note { outcome.hideNotes() }
        if fix { Stream.message(outcome.correct()) }
        try show(outcome)
        throw ExitCode(outcome.status(failOn: lowest))
    }

    private func show(_ outcome: ReviewOutcome) throws {
        switch format {
        case .json: try Stream.output.write(outcome.json)
        case .sarif:
            try Stream.output.write(
                outcome.sarif(from: FileManager.default.currentDirectoryPath))
        case .xcode: try Stream.output.write(outcome.xcode())
        case nil: try Stream.output.write(outcome.text(Stream.textStyle))
        }
        Stream.message(outcome.summary)
        if format == nil { Stream.message(outcome.explanation) }
    }

    static func main() {
        do {
            var command = try parseAsRoot(nil)
            try command.run()
        } catch let error as ReviewError {
            Stream.message("\(Review.tool): \(error.description)\n")
            Foundation.exit(ExitCode.failure.rawValue)
        } catch let error as Stream.WriteError {
            Stream.message("\(Review.tool): \(error.description)\n")
            Foundation.exit(ExitCode.failure.rawValue)
        } catch let error as RuleDescription.UnknownRule {
            Stream.message("\(Review.tool): \(error.description)\n")
            Foundation.exit(ExitCode.validationFailure.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}

/// A severity as a command-line argument.
enum Threshold: String, ExpressibleByArgument, CaseIterable {
    case note, warning, error

    var severity: Severity {
        switch self {
        case .note: .note
        case .warning: .warning
        case .error: .error
        }
    }
}

/// The output of `--rules` and `--explain`.
enum RuleText {
    static var list: String {
        let rules = RuleDescription.all
        let width = rules.map(\.name.count).max() ?? 0
        return rules.map { rule in
            rule.name.padded(to: width) + "  " + rule.severity.rawValue.padded(to: 7) + "  "
                + rule.summary + "\n"
        }.joined()
    }

    static func page(_ name: String) throws -> String {
        let rule = try RuleDescription.named(name)
        if let page = rule.page { return page }
        return "\(rule.name) (\(rule.severity.rawValue)): \(rule.summary).\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

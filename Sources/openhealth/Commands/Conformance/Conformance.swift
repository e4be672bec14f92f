import ArgumentParser
import HealthStorage

/// `openhealth conformance`
struct Conformance: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Shows where a phone's HealthKit behaves differently from this one.",
        subcommands: [Compare.self])
}

extension Conformance {
    /// `openhealth conformance compare REPORT`
    struct Compare: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract: "Compares the conformance report of a phone with this HealthKit.",
            discussion: """
                The report is the file that the portable conformance suite writes on a phone or \
                simulator; Tests/ConformanceTests/README.md describes how. This HealthKit's own \
                results are part of the command. Numbers are equal if they differ by no more \
                than a billionth.

                Exit status: 0 all tests are equal; 1 the report can't be read; 2 no test \
                differs, but some were not run or are on one side only; 3 a test differs; \
                64 wrong usage.
                """)

        enum Format: String, ExpressibleByArgument, CaseIterable { case table, json }

        @Argument(help: ArgumentHelp("The file of the report.", valueName: "report"))
        var report: String

        @Option(help: ArgumentHelp("The format of the output.", valueName: "format"))
        var format = Format.table

        @Flag(help: "Print JSON: the same as --format json.")
        var json = false

        @Flag(help: "Also list the tests that are equal. JSON always has them.")
        var all = false

        func run() throws {
            let comparison = ReportComparison(
                here: try SuiteReport.own, report: try SuiteReport(atPath: report))
            try json || format == .json
                ? Output.print(comparison.json)
                : Output.print(comparison.text(all ? .allTests : .differences))
            let counts = comparison.counts
            if counts[.differs] != nil { throw ExitCode(3) }
            if counts.keys.contains(where: { $0 != .equal }) { throw ExitCode(2) }
        }
    }
}

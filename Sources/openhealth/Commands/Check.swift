import ArgumentParser
import HealthDashboard
import HealthStorage

/// `openhealth check`
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks the store for damage. Exits with 3 if it finds a problem.")

    @OptionGroup var global: GlobalOptions

    @Flag(
        help: """
            Rebuild the data that is derived from the samples before checking. No sample and no
            result changes.
            """)
    var rebuild = false

    func run() throws {
        if rebuild { try global.open(.writing).rebuildSegments() }
        let problems = try problems()
        if global.json {
            try Output.print(CheckReport.json(problems))
        } else {
            try Output.print(CheckReport.text(problems))
        }
        if !problems.isEmpty { throw ExitCode(3) }
    }

    /// Returns the problems found. A store that is unreadable for SQLite or has a changed schema is
    /// itself a problem.
    private func problems() throws -> [CheckReport.Problem] {
        let path = try global.path
        do {
            _ = try global.explicitTimeZone
            let store = try RunningImport.reportingErrors(of: path) {
                try SampleStore.forChecking(at: path)
            }
            return try store.check().map { .init(invariant: $0.invariant, count: $0.count) }
        } catch let error as StoreError where error.code == .corrupt {
            return [.init(invariant: CheckReport.damage, count: 1)]
        } catch let error as StoreError where error.code == .alteredSchema {
            return [.init(invariant: error.sentence, count: 1)]
        }
    }
}

enum CheckReport {
    /// A violated rule and the number of violations.
    struct Problem {
        var invariant: String
        var count: Int
    }

    /// The rule that a file violates if SQLite can't read it, or if its integrity check fails.
    static let damage = "the file is undamaged"

    static func json(_ problems: [Problem]) -> JSONText {
        .object([
            "ok": .bool(problems.isEmpty),
            "problems": .array(
                problems.map {
                    .object(["invariant": .string($0.invariant), "count": .integer($0.count)])
                }),
        ])
    }

    static func text(_ problems: [Problem]) -> String {
        if problems.isEmpty { return "No problems found.\n" }
        var table = Table([.number("count"), .text("violated rule", maximumWidth: 70)])
        for problem in problems {
            table.rows.append([NumberText.grouped(Double(problem.count)), problem.invariant])
        }
        let help = "Move the file to another folder and import your newest export again."
        return "The store has \(counted(problems.count, "problem", "problems")).\n\n" + table.text
            + (problems.contains { $0.invariant == damage } ? "\n\(help)\n" : "")
    }
}

import ArgumentParser
import HealthDashboard
import HealthStorage

/// `openhealth check`
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verifies that the store is sound; exits with 3 if it is not.")

    @OptionGroup var global: GlobalOptions

    @Flag(
        help: """
            First make anew what is derived from the records to answer fast. No record and no answer
            changes.
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

    /// A store so damaged that SQLite can't go on with it has been checked, too.
    private func problems() throws -> [CheckReport.Problem] {
        let path = try global.path
        do {
            _ = try global.givenZone
            let store = try RunningImport.telling(of: path) {
                try SampleStore.forChecking(at: path)
            }
            return try store.check().map { .init(invariant: $0.invariant, count: $0.count) }
        } catch let error as StoreError where error.code == .corrupt {
            return [.init(invariant: CheckReport.damage, count: 1)]
        } catch let error as StoreError where error.code == .alteredSchema {
            return [.init(invariant: error.description, count: 1)]
        }
    }
}

enum CheckReport {
    /// A rule that is broken, and how often.
    struct Problem {
        var invariant: String
        var count: Int
    }

    /// The rule that SQLite itself watches over.
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
        if problems.isEmpty { return "The store is sound: every invariant holds.\n" }
        var table = Table([.number("times"), .words("broken rule", widest: 70)])
        for problem in problems {
            table.rows.append([NumberText.grouped(Double(problem.count)), problem.invariant])
        }
        let help = "Move the file aside and import your newest export again."
        return "The store has \(counted(problems.count, "problem", "problems")).\n\n" + table.text
            + (problems.contains { $0.invariant == damage } ? "\n\(help)\n" : "")
    }
}

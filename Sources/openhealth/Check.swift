import ArgumentParser
import HealthStorage

/// `openhealth check`
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verifies that the store is sound; exits with 3 if it is not.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let breaches = try global.open().check()
        if global.json {
            try Output.print(CheckReport.json(breaches))
        } else {
            try Output.print(CheckReport.text(breaches))
        }
        if !breaches.isEmpty { throw ExitCode(3) }
    }
}

enum CheckReport {
    static func json(_ breaches: [InvariantBreach]) -> JSONText {
        .object([
            "ok": .bool(breaches.isEmpty),
            "problems": .array(
                breaches.map {
                    .object(["invariant": .string($0.invariant), "count": .integer($0.count)])
                }),
        ])
    }

    static func text(_ breaches: [InvariantBreach]) -> String {
        if breaches.isEmpty { return "The store is sound: every invariant holds.\n" }
        var table = Table([.number("times"), .words("broken rule", widest: 70)])
        for breach in breaches {
            table.rows.append([NumberText.grouped(Double(breach.count)), breach.invariant])
        }
        return "The store has \(counted(breaches.count, "problem", "problems")).\n\n" + table.text
    }
}

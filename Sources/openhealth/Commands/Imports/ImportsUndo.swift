import ArgumentParser
import HealthDashboard
import HealthEngine
import HealthStorage

extension Imports {
    /// `openhealth imports undo N`
    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Undoes the newest import.",
            discussion: """
                Changes that you or a program made after the import are kept. If later changes \
                depend on imported samples, nothing is undone and these changes are listed.
                """)

        @Argument(help: ArgumentHelp("The number of the newest import.", valueName: "number"))
        var number: Int64

        @Flag(help: "Don't ask for confirmation.")
        var yes = false

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open(.writing)
            try store.checkUndo(ofImport: number)
            if !yes, try !isConfirmed(store) { throw CommandError("Nothing was undone.") }
            let outcome = try store.undoImport(number)
            SidecarFiles.removePageCache(of: store.path)
            try global.json
                ? Output.print(json(outcome)) : Output.print(text(outcome).wrapped() + "\n")
        }

        private func isConfirmed(_ store: SampleStore) throws -> Bool {
            let difference = try store.difference(ofImport: number)
            var effects = ["removes \(counted(difference.new, "sample", "samples"))"]
            if difference.changed > 0 {
                effects.append("changes \(count(difference.changed)) back")
            }
            if difference.vanished > 0 { effects.append("restores \(count(difference.vanished))") }
            let effect = "This \(effects.joined(separator: ", "))."
            guard Prompt.isInteractive else {
                throw UsageError("\(effect) Confirm with --yes, or run it in a terminal.")
            }
            return Prompt.confirm(
                "Undo import \(number) (\(difference.summary.file.printable))? \(effect)")
        }

        private func json(_ outcome: ImportUndoOutcome) -> JSONText {
            .object([
                "number": .integer(Int(number)), "removed": .integer(outcome.removed),
                "changedBack": .integer(outcome.reverted),
                "restored": .integer(outcome.restored),
            ])
        }

        private func text(_ outcome: ImportUndoOutcome) -> String {
            "Import \(number) is undone: \(counted(outcome.removed, "sample", "samples")) removed, "
                + "\(count(outcome.reverted)) changed back, \(count(outcome.restored)) restored."
        }

        private func count(_ value: Int) -> String { NumberText.grouped(Double(value)) }
    }
}

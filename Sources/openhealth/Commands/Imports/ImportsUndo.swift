import ArgumentParser
import HealthDashboard
import HealthEngine
import HealthStorage

extension Imports {
    /// `openhealth imports undo N`
    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo",
            abstract: "Takes the newest import back: every answer is as it was before it.",
            discussion: """
                What a program or you have changed since stays. If later changes rest on what the \
                import brought, nothing is undone and they are listed.
                """)

        @Argument(help: ArgumentHelp("The newest in the list of imports.", valueName: "number"))
        var number: Int64

        @Flag(help: "Don't ask.")
        var yes = false

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open(.writing)
            try store.checkUndo(ofImport: number)
            if !yes, try !isConfirmed(store) { throw NotDone("Nothing was undone.") }
            let outcome = try store.undoImport(number)
            BesideStore.forgetPages(of: store.path)
            try global.json
                ? Output.print(json(outcome)) : Output.print(text(outcome).wrapped() + "\n")
        }

        private func isConfirmed(_ store: SampleStore) throws -> Bool {
            guard Question.canBeAsked else {
                throw WrongUsage(
                    "Undoing import \(number) needs a yes: add --yes, or run it in a terminal.")
            }
            let difference = try store.difference(ofImport: number)
            return Question.ask(
                "Undo import \(number) (\(difference.summary.file.printable))? "
                    + "\(count(difference.new)) of its samples go, "
                    + "\(count(difference.changed)) change back, "
                    + "\(count(difference.vanished)) come back.")
        }

        private func json(_ outcome: ImportUndoOutcome) -> JSONText {
            .object([
                "number": .integer(Int(number)), "removed": .integer(outcome.removed),
                "changedBack": .integer(outcome.changedBack),
                "restored": .integer(outcome.restored),
            ])
        }

        private func text(_ outcome: ImportUndoOutcome) -> String {
            "Import \(number) is undone: \(counted(outcome.removed, "sample", "samples")) gone, "
                + "\(count(outcome.changedBack)) changed back, \(count(outcome.restored)) restored."
        }

        private func count(_ value: Int) -> String { NumberText.grouped(Double(value)) }
    }
}

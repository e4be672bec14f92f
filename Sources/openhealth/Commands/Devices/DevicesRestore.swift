import ArgumentParser
import HealthDashboard
import HealthEngine
import HealthStorage

extension Devices {
    /// `openhealth devices restore NAME`
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Restores exported samples that a complete run of a device removed.",
            discussion: """
                An app can state that it has sent all samples of a type. Then exported ones that \
                the phone no longer has are removed, if they are 2 % or less. If the app states it \
                again, they are removed again.
                """)

        @Argument(help: ArgumentHelp("The device's name.", valueName: "name"))
        var name: String

        @Flag(help: "Don't ask for confirmation.")
        var yes = false

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open(.writing)
            let types = try store.takenOver(from: name)
            if !types.isEmpty, !yes, try !isConfirmed(types) {
                throw CommandError("Nothing was restored.")
            }
            let restored = types.isEmpty ? 0 : try store.restoreTakenOver(from: name)
            if restored > 0 { SidecarFiles.removePageCache(of: store.path) }
            try global.json
                ? Output.print(
                    JSONText.object([
                        "device": .string(name), "restored": .integer(restored),
                    ]))
                : Output.print("\(counted(restored, "sample", "samples")) restored.\n")
        }

        private func isConfirmed(_ types: [(type: SampleType, count: Int)]) throws -> Bool {
            let effect =
                "This restores "
                + types.map { "\(NumberText.grouped(Double($0.count))) \($0.type.name)" }
                .joined(separator: ", ") + "."
            guard Prompt.isInteractive else {
                throw UsageError("\(effect) Confirm with --yes, or run it in a terminal.")
            }
            return Prompt.confirm(
                "Restore exported samples that \(name.printable) lacks? \(effect)")
        }
    }
}

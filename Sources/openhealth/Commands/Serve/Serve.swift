import ArgumentParser
import Foundation
import HealthDashboard
import HealthStorage

/// `openhealth serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the store as web pages.",
        discussion: """
            Prints the address on the first line and runs until Ctrl-C. The address contains a key \
            that works for one browser. Without --listen, only this computer can open the pages.
            """)

    @OptionGroup var serving: ServingOptions

    @Flag(help: "Open the pages in the browser.")
    var open = false

    @OptionGroup var global: GlobalOptions

    @MainActor func run() async throws {
        try await PageServing(
            store: try global.path, options: serving, global: global,
            browser: open ? .opened : .left
        ).run()
    }
}

/// The options of `serve` and `open`.
struct ServingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The port. Default: any free port.", valueName: "number"))
    var port = 0

    @Option(
        help: ArgumentHelp(
            "The address to listen on, for access from other devices. The connection is not "
                + "encrypted: use a proxy with TLS.",
            valueName: "address"))
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "With --listen: a host name that browsers use for this server. Can be repeated.",
            valueName: "name"))
    var host: [String] = []

    /// A hidden option for tests: on a busy machine, starting a browser may take longer than usual.
    @Option(
        help: ArgumentHelp(
            "How long the browser's token is valid, in seconds.",
            valueName: "seconds", visibility: .private))
    var handoverSeconds = 120

    @OptionGroup var goal: StepGoal

    func validate() throws {
        guard (1...86_400).contains(handoverSeconds) else {
            throw ValidationError("--handover-seconds must be from 1 to 86400.")
        }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be from 1 to 65535, or 0 for any free port.")
        }
        if listen?.isEmpty == true { throw ValidationError("--listen needs an address.") }
        if listen == nil, !host.isEmpty { throw ValidationError("--host needs --listen.") }
    }

    /// Returns the options that select the served store in suggested commands: those of this
    /// command, or `--store` if the path was given to `open`.
    func commandOptions(_ global: GlobalOptions, _ path: String) -> String {
        (try? global.path) == path
            ? StoreOptions.words(global) : " --store " + ShellWord.quoted(path)
    }
}

/// Explains a missing store by an import that is running.
enum RunningImport {
    /// Opens a store.
    ///
    /// - Throws: ``CommandError`` if the store doesn't exist yet because its first import is
    ///   running; other errors of `open`.
    static func telling<Opened>(of path: String, _ open: () throws -> Opened) throws -> Opened {
        do {
            return try open()
        } catch let error as StoreError
            where error.code == .missing && SampleStore.isBeingImported(into: path)
        {
            throw CommandError(
                "The first import into \(path.printable) is still running. Try again when it has "
                    + "finished.")
        }
    }
}

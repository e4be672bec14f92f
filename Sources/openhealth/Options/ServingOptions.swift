import ArgumentParser
import HealthDashboard

/// The options of `serve` and `open`.
struct ServingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The port. Default: any free port, or \(ReceivingOptions.defaultPort) with --receive.",
            valueName: "number"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "The address to listen on, for access from other devices. The connection is only "
                + "encrypted by a proxy with TLS, or by serve with --certificate.",
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
        guard (0...65_535).contains(port ?? 0) else {
            throw ValidationError("--port must be from 1 to 65535, or 0 for any free port.")
        }
        if listen?.isEmpty == true { throw ValidationError("--listen needs an address.") }
        if listen == nil, !host.isEmpty { throw ValidationError("--host needs --listen.") }
    }

    /// Returns the options that select the served store in suggested commands: those of this
    /// command, or `--store` if the path was given to `open`.
    func commandOptions(_ global: GlobalOptions, _ path: String) -> String {
        (try? global.path) == path
            ? StoreOptions.text(global) : " --store " + ShellWord.quoted(path)
    }
}

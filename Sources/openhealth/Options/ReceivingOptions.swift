import ArgumentParser
import HealthServer

/// The options of `serve` for data that phones send.
struct ReceivingOptions: ParsableArguments {
    /// The port without `--port`. Phones need one that stays the same.
    static let defaultPort = 8470

    @Flag(help: "Receive data that phones send. Add phones with: openhealth devices add.")
    var receive = false

    @Option(
        help: ArgumentHelp(
            "With --listen: accept requests only from this proxy, which adds TLS, for example "
                + "10.0.0.0/8.",
            valueName: "cidr"))
    var behindProxy: String?

    @Flag(help: "With --receive and --listen: accept data over unencrypted HTTP.")
    var insecure = false

    func validate() throws {
        if let behindProxy, AddressRange(behindProxy) == nil {
            throw ValidationError(
                "--behind-proxy needs an address or a range of addresses, for example 10.0.0.0/8.")
        }
        if behindProxy != nil, insecure {
            throw ValidationError("Use either --behind-proxy or --insecure.")
        }
    }

    /// Checks that data isn't received over unencrypted HTTP from other computers.
    ///
    /// - Parameters:
    ///   - listen: The address of `--listen`; nil for the loopback interface.
    ///   - encryption: The options for HTTPS.
    /// - Throws: ``UsageError``.
    func check(listeningOn listen: String?, _ encryption: EncryptionOptions?) throws {
        let isEncrypted = encryption?.certificate != nil
        if isEncrypted, insecure { throw UsageError("Use either --certificate or --insecure.") }
        guard receive, let listen, !isEncrypted, behindProxy == nil, !insecure else { return }
        let isLoopback = listen == "localhost" || listen == "::1" || listen.hasPrefix("127.")
        guard !isLoopback else { return }
        throw UsageError(
            "Without encryption, others in the network can read the data and the tokens of phones. "
                + "Use --certificate and --key, or a proxy with TLS and --behind-proxy with its "
                + "address, or accept that with --insecure.")
    }
}

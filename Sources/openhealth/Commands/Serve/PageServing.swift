import Foundation
import HealthServer
import HealthStorage

#if Server
    /// Serves the pages of a store until the user ends the command.
    struct PageServing: Sendable {
        enum Browser: Sendable { case opened, unopened }

        private enum Event: Sendable {
            case ended
            case finished(Result<Void, ServerError>)
        }

        /// The maximum time for responses in progress after the user has ended the command.
        private static let shutdownGracePeriod = Duration.milliseconds(500)

        let server: HealthServer
        let browser: Browser
        /// Sends notices of changes.
        private let hooks: HookSending
        /// The address given with `--listen`; nil for the loopback interface.
        private let listen: String?
        private let handover: BrowserHandover
        /// The lifetime of the token for the browser that this command starts.
        private let handoverLifetime: Duration

        /// Opens the store and creates its server.
        ///
        /// - Throws: `StoreError` or `HKError` if the store can't be opened, ``CommandError`` if
        ///   its first import is still running, ``UsageError`` for invalid options,
        ///   ``ServerCertificate/Fault`` for a certificate that can't be used.
        init(
            store path: String, options: ServingOptions,
            receiving: ReceivingOptions? = nil, encryption: EncryptionOptions? = nil,
            global: GlobalOptions, browser: Browser
        ) throws {
            try receiving?.check(listeningOn: options.listen, encryption)
            let certificate = try encryption?.serverCertificate()
            let zone = try global.explicitTimeZone
            let goal = try options.goal.steps
            if options.listen != nil, receiving?.behindProxy == nil, certificate == nil {
                Message.write(
                    "Warning: other devices can reach the pages over unencrypted HTTP. Use a proxy "
                        + "with TLS.")
            }
            let receiver = try receiving?.receiver(storeAt: path)
            (server, hooks) = try RunningImport.reportingErrors(of: path) {
                let api = try StoreAPI(storeAt: path, timeZone: zone, stepGoal: goal)
                let server = try HealthServer(
                    storeAt: path, timeZone: zone, listening: options.listening,
                    port: options.port ?? receiving?.port ?? 0,
                    cache: URL(fileURLWithPath: SidecarFiles.path(path, "pages.cache")),
                    weightNotes: URL(fileURLWithPath: SidecarFiles.path(path, WeightDiary.file)),
                    stepGoal: goal,
                    audience: .owner(commandOptions: options.commandOptions(global, path)),
                    limits: receiver == nil ? .init() : .receiving,
                    api: api.api, receiver: receiver, proxies: receiving?.proxies,
                    certificate: certificate)
                return (server, HookSending(besideStore: path, api))
            }
            self.browser = browser
            listen = options.listen
            handoverLifetime = .seconds(options.handoverSeconds)
            handover = BrowserHandover(
                folders: HandoverFolder.candidates(
                    ProcessInfo.processInfo.environment, besideStore: path))
        }

        /// Throws in a build without the server, not in this one. Called before any work for pages.
        static func requireServer() throws {}

        func run() async throws {
            let (events, continuation) = AsyncStream<Event>.makeStream()
            let ending = TerminationSignals()
            let waiting = Task {
                await ending.wait()
                continuation.yield(.ended)
            }
            Task {
                do throws(ServerError) {
                    try await server.run(report)
                    continuation.yield(.finished(.success(())))
                } catch {
                    continuation.yield(.finished(.failure(error)))
                }
            }
            let sending = Task { await hooks.run(after: server.changeWakeUps()) }
            defer {
                waiting.cancel()
                sending.cancel()
                handover.remove()
            }
            for await event in events {
                switch event {
                case .finished(let result): return try result.get()
                case .ended:
                    server.end()
                    Task {
                        try await Task.sleep(for: PageServing.shutdownGracePeriod)
                        continuation.yield(.finished(.success(())))
                    }
                }
            }
        }

        private func report(_ notice: HealthServer.Notice) {
            switch notice {
            case .listening(let url):
                try? Output.print(url + "\n")
                let others = NetworkAddresses.urls(of: url, listeningOn: listen ?? "")
                if !others.isEmpty {
                    Message.write("From other devices: " + others.joined(separator: "\n  or "))
                }
                if browser == .opened { openBrowser(orPrint: url) }
            case .opened(let nextURL): Message.write("For another browser: \(nextURL)")
            case .failed(let text): Message.write("openhealth: \(text.printable)")
            case .pageFailed(let path, let error):
                let text = "The page \(path) failed: \(error.sentence)"
                Message.write("openhealth: " + StoreOptions.completed(text.printable))
            }
        }
    }

    extension PageServing {
        /// Starts the browser with a file that redirects to the pages. The address isn't passed as
        /// an argument, because all accounts of the computer can read arguments, and it contains
        /// the token.
        private func openBrowser(orPrint url: String) {
            handover.removeLeftovers()
            let address = server.handover(lasting: handoverLifetime) { [handover] end in
                handover.remove()
                if end == .expired { WebBrowser.printAddress(url) }
            }
            guard let file = handover.write(HealthServer.page(leadingTo: address)) else {
                return WebBrowser.printAddress(url)
            }
            WebBrowser.open(file, orPrint: url)
        }
    }

    extension HookSending {
        /// Creates the sender of a store's notices. A hook that is switched off is reported.
        fileprivate init(besideStore path: String, _ api: StoreAPI) {
            self.init(
                besideStore: path,
                Surroundings(
                    head: { try api.head() },
                    switchedOff: { hook in
                        Message.write(
                            "The hook \(hook.identifier) was switched off after three days of "
                                + "failures: \(hook.failure?.reason ?? "unknown"). To use the address "
                                + "again, remove the hook and add a new one.")
                    }))
        }
    }

    extension ServingOptions {
        var listening: HealthServer.Listening {
            listen.map { .address($0, names: host) } ?? .loopback
        }
    }

    extension ReceivingOptions {
        /// The port if none is given.
        fileprivate var port: Int { receive ? ReceivingOptions.defaultPort : 0 }

        var proxies: AddressRange? { behindProxy.flatMap { AddressRange($0) } }

        /// Creates the receiver, and an empty store if there is none: a phone's data can be the
        /// first.
        fileprivate func receiver(storeAt path: String) throws -> Receiver? {
            guard receive else { return nil }
            if case .nothing = FileKind(path), !SampleStore.isBeingImported(into: path) {
                try SampleStore(at: path, access: .creating).close()
            }
            return try Receiver(storeAt: path)
        }
    }

    extension ServerError: UserFacingError {
        var sentence: String { description.followed(by: advice) }

        private var advice: String? {
            switch self {
            case .portInUse: "Choose another port, or omit --port."
            case .portNotPermitted: "Choose a port above 1023."
            case .noSuchAddress: "Choose another address."
            case .failed: nil
            }
        }
    }
#else
    /// The replacement in a build without the server. Creating it throws.
    struct PageServing {
        enum Browser { case opened, unopened }

        init(
            store path: String, options: ServingOptions,
            receiving: ReceivingOptions? = nil, encryption: EncryptionOptions? = nil,
            global: GlobalOptions, browser: Browser
        ) throws { try Self.requireServer() }

        static func requireServer() throws {
            throw CommandError(
                "This openhealth was built without pages. Build it with pages: swift build "
                    + "-c release --product openhealth")
        }

        func run() async throws {}
    }
#endif

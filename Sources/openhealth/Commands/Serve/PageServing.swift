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
        /// Creates the servers of stores, and sends notices of changes.
        private let opening: StoreOpening
        /// The address given with `--listen`; nil for the loopback interface.
        private let listen: String?
        private let handover: BrowserHandover
        /// The lifetime of the token for the browser that this command starts.
        private let handoverLifetime: Duration

        /// Opens the store and creates its server. Without a store, the pages show how to import an
        /// export, and open the store as soon as there is one.
        ///
        /// - Throws: `StoreError` or `HKError` if there is a store that can't be opened,
        ///   ``CommandError`` if its first import is running, ``UsageError`` for invalid options,
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
            opening = StoreOpening(
                owner: path, timeZone: zone, stepGoal: goal,
                commandOptions: options.commandOptions(global, path),
                limits: receiver == nil ? .init() : .receiving)
            let stores = ServedStores(
                of: StorePerson(name: global.as, path: path),
                opening.surroundings(
                    persons: options.offersPersons(global, path) ? .all : .owner))
            try RunningImport.reportingErrors(of: path) {
                let isOpen = try stores.open()
                if !isOpen, SampleStore.isBeingImported(into: path) {
                    throw StoreError(.noStore(at: path))
                }
            }
            server = HealthServer(
                stores, listening: options.listening, port: options.port ?? receiving?.port ?? 0,
                limits: opening.limits, receiver: receiver, proxies: receiving?.proxies,
                certificate: certificate)
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
            defer {
                waiting.cancel()
                opening.end()
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

    extension ServingOptions {
        var listening: HealthServer.Listening {
            listen.map { .address($0, names: host) } ?? .loopback
        }

        /// Returns whether the pages offer the stores of other persons in the folder.
        ///
        /// They don't if a person or a file was named, or if other devices can open the pages:
        /// a person who opens those sees only the store that was named.
        fileprivate func offersPersons(_ global: GlobalOptions, _ path: String) -> Bool {
            listen == nil && global.as == nil && (try? global.path) == path
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

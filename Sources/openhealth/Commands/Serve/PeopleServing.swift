#if People
    import Foundation
    import HealthDashboard
    import HealthPeople
    import HealthServer
    import HealthStorage

    /// Serves the data of many people until the user ends the command.
    struct PeopleServing: Sendable {
        private enum Event: Sendable {
            case ended
            case finished(Result<Void, ServerError>)
        }

        /// The maximum time for responses in progress after the command was ended.
        private static let shutdownGracePeriod = Duration.seconds(30)
        /// The maximum time for writing the last lines of the log, in seconds.
        private static let flushSeconds = 2.0

        private let places: PeoplePlaces
        private let site: PeopleSite
        private let server: HealthServer
        /// The log of requests; nil for none.
        private let log: RequestLog?
        private let reporter: Reporter
        /// How long the server reports that it isn't ready before it ends, so that a proxy notices.
        private let notice: Duration

        /// Opens the people and this node's folder of stores, and creates the server.
        ///
        /// - Throws: `PeopleError`, `SQLError`; ``UsageError`` for invalid options.
        init(
            _ place: String, options: PeopleServingOptions, serving: ServingOptions,
            receiving: ReceivingOptions, encryption: EncryptionOptions, global: GlobalOptions
        ) throws {
            var checked = receiving
            checked.receive = true
            try checked.check(listeningOn: serving.listen, encryption)
            let zone = try global.explicitTimeZone
            let output = RequestLogOutput(option: options.log)
            let log = try output.writer().map { write in
                RequestLog(node: RequestLogOutput.hostName, write: write)
            }
            let reporter = Reporter(log: output == .standardError ? log : nil)
            (self.log, self.reporter) = (log, reporter)
            if try !options.keys.location(place).exists {
                Message.write(
                    "\(place.printable) is new: nobody is there yet. Add the first person: openhealth "
                        + "people create NAME --people \(ShellWord.quoted(place))")
            }
            places = try options.keys.openPlaces(place)
            let folder = try options.cacheFolder(ofPeopleAt: place)
            site = try PeopleSite(places, cacheFolder: folder) { path, person, places, writing in
                let api = try StoreAPI(storeAt: path, timeZone: zone, stepGoal: nil)
                let server = try HealthServer(
                    storeAt: path, timeZone: zone,
                    cache: URL(fileURLWithPath: SidecarFiles.path(path, "pages.cache")),
                    audience: .person,
                    api: api.api { try await places.readToken($0, of: person) },
                    counting: .onRequest, writing: writing)
                return PersonServing(server) { reporter.report($0) }
            }
            server = HealthServer(
                site, listening: serving.listening,
                port: serving.port ?? ReceivingOptions.defaultPort,
                proxies: receiving.proxies, certificate: try encryption.serverCertificate(),
                log: log)
            notice = .seconds(options.graceSeconds)
        }

        func run() async throws {
            let (events, continuation) = AsyncStream<Event>.makeStream()
            let ending = TerminationSignals()
            let waiting = Task {
                await ending.wait()
                continuation.yield(.ended)
            }
            Task {
                do throws(ServerError) {
                    try await server.run { reporter.report($0) }
                    continuation.yield(.finished(.success(())))
                } catch {
                    continuation.yield(.finished(.failure(error)))
                }
            }
            let keepingUp = Task { await site.keepUp() }
            defer {
                waiting.cancel()
                keepingUp.cancel()
            }
            for await event in events {
                switch event {
                case .finished(let result):
                    await site.close()
                    places.close()
                    log?.flush(within: PeopleServing.flushSeconds)
                    return try result.get()
                case .ended:
                    site.beginEnding()
                    Task {
                        try await Task.sleep(for: notice)
                        server.end()
                        try await Task.sleep(for: PeopleServing.shutdownGracePeriod)
                        continuation.yield(.finished(.success(())))
                    }
                }
            }
        }

    }

    /// Reports events of the server.
    private struct Reporter: Sendable {
        /// The log, if it is on standard error: all lines there are JSON then.
        let log: RequestLog?

        func report(_ notice: HealthServer.Notice) {
            switch notice {
            case .listening(let url): try? Output.print(url + "\n")
            case .opened: break
            case .failed(let text): write(text.printable)
            case .pageFailed(let path, let error):
                write("The page \(path) failed: \(error.description.printable)")
            }
        }

        private func write(_ sentence: String) {
            if let log {
                log.add(message: sentence)
            } else {
                Message.write("openhealth: \(sentence)")
            }
        }
    }
#else
    /// The replacement in a build without people. Creating it throws.
    struct PeopleServing {
        init(
            _ place: String, options: PeopleServingOptions, serving: ServingOptions,
            receiving: ReceivingOptions, encryption: EncryptionOptions, global: GlobalOptions
        ) throws {
            throw CommandError(
                "This openhealth was built without people. Build it with the trait People.")
        }

        func run() async throws {}
    }
#endif

#if Server
    package import Foundation
    package import HealthStorage
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    #if TLS
        import HummingbirdTLS
    #endif
    import Logging
    import NIOCore
    import OpenHealthKit
    import ServiceLifecycle
    import Synchronization

    /// Serves a person's pages over HTTP or HTTPS, by default on the loopback interface only.
    ///
    /// ```swift
    /// let server = HealthServer(site) { try? store.dataVersion() }
    /// try await server.run { notice in
    ///     // http://127.0.0.1:49321/?token=5f1c…
    ///     if case .listening(let url) = notice { print(url) }
    /// }
    /// ```
    /// The token in the address opens one session, which a cookie identifies. Requests must name
    /// this server as their host. Requests that may change something must come from one of its own
    /// pages.
    package final class HealthServer: Sendable {
        /// The address that the server listens on.
        package enum Listening: Hashable, Sendable {
            /// 127.0.0.1, reachable only from this computer.
            case loopback
            /// An address that other computers may reach, with additional accepted host names, for
            /// example that of a proxy. The names are accepted with any port, and any IP address
            /// with the server's port.
            case address(String, names: [String])
        }

        /// Limits on what a client may use.
        package struct Limits: Hashable, Sendable {
            /// The maximum bytes of one header field. All header fields together may have twice as
            /// many.
            package var headerBytes = 16_384
            /// The maximum number of header fields.
            package var headerCount = 100
            /// The maximum bytes of a form's body.
            package var bodyBytes = 65_536
            /// The maximum number of simultaneous connections. A quarter of it is for connections
            /// without a session. If a new connection exceeds its share, the oldest of that share
            /// is closed.
            package var connections = 256
            /// The maximum number of simultaneous connections without a session or a token; nil
            /// for a quarter of ``connections``.
            package var unauthenticatedConnections: Int?
            /// The time without data from the client after which a connection is closed, between
            /// requests or while a request is being received.
            package var idleTimeout = Duration.seconds(10)
            /// The maximum time for receiving a form, sending a page or sending one event.
            package var stallTimeout = Duration.seconds(20)
            /// The interval at which an event stream sends a comment if nothing has changed.
            package var heartbeat = Duration.seconds(15)
            /// The polling interval for changes while an event stream is open, if the system
            /// doesn't report changes of files.
            package var pollingInterval = Duration.milliseconds(250)

            /// Creates the default limits.
            package init() {}

            /// Limits for a server that also receives data: many devices can connect at once, and
            /// mobile connections pause for longer.
            package static let receiving: Limits = {
                var limits = Limits()
                (limits.connections, limits.unauthenticatedConnections) = (512, 256)
                limits.idleTimeout = .seconds(60)
                return limits
            }()

            /// Limits for a server of many people.
            package static let people: Limits = {
                var limits = Limits.receiving
                (limits.connections, limits.unauthenticatedConnections) = (4_096, 2_048)
                return limits
            }()
        }

        /// When the contents of a store are counted for the first time, which reads the whole store.
        package enum Counting: Hashable, Sendable {
            /// At once, in the background, so that the first page with them is faster.
            case inAdvance
            /// At the first request that needs them.
            case onRequest
        }

        /// An event of a running server.
        package enum Notice: Hashable, Sendable {
            /// The server accepts connections. The address contains a token for one browser.
            case listening(url: String)
            /// A browser has used the token. The address contains the next one.
            case opened(nextURL: String)
            /// A page failed because of its store.
            case pageFailed(path: String, StoreError)
            /// A page failed for another reason. The message contains no health value.
            case failed(String)
        }

        let site: Site
        /// The read API; nil for none.
        let api: ReadAPI?
        /// Stores what devices send; nil if nothing is received.
        let receiver: Receiver?
        /// The people whose data is served; nil on a server of one store.
        let people: PeopleSite?
        /// The stores whose pages are served; nil on a server of one store or of many people.
        let stores: ServedStores?
        /// Who reads the pages and the messages.
        let audience: PageAudience
        /// Gets a line for each request; nil for no log.
        let log: RequestLog?
        /// The addresses that requests may come from, besides this computer; nil for all.
        let proxies: AddressRange?
        /// The certificate for HTTPS; nil for HTTP.
        let certificate: ServerCertificate?
        let listening: Listening
        let limits: Limits
        let revision: @Sendable () -> Int?
        let sessions = Sessions()
        let streams = EventStreams()
        let changes: ChangeFeed
        let responseCache = ResponseCache()
        let connections: Connections
        /// A random prefix of event identifiers, so that those of an earlier run don't match.
        let run = Secret().text.prefix(8)
        private let wantedPort: Int
        private let boundPort = Mutex<Int?>(nil)

        /// Creates a server. It doesn't listen until ``run(_:)``.
        ///
        /// - Parameters:
        ///   - site: The pages and files to serve.
        ///   - listening: The address to listen on.
        ///   - port: The port, or 0 for any free one.
        ///   - limits: The limits on clients.
        ///   - api: The read API; nil for none.
        ///   - receiver: Stores what devices send; nil if nothing is received.
        ///   - certificate: The certificate for HTTPS; nil for HTTP.
        ///   - revision: Returns a number that changes with the store; nil if it can't be read now.
        ///     By default always nil.
        package convenience init(
            _ site: Site, listening: Listening = .loopback, port: Int = 0,
            limits: Limits = Limits(), api: ReadAPI? = nil, receiver: Receiver? = nil,
            certificate: ServerCertificate? = nil,
            revision: @escaping @Sendable () -> Int? = { nil }
        ) {
            self.init(
                site, of: [], listening: listening, port: port, limits: limits, api: api,
                receiver: receiver, proxies: nil, certificate: certificate, revision: revision)
        }

        /// - Parameter files: The files that the revision depends on. After a write to one of them,
        ///   the revision is read again.
        init(
            _ site: Site, of files: [String], listening: Listening, port: Int, limits: Limits,
            api: ReadAPI?, receiver: Receiver?, people: PeopleSite? = nil,
            stores: ServedStores? = nil,
            audience: PageAudience = .owner(commandOptions: ""), log: RequestLog? = nil,
            proxies: AddressRange?, certificate: ServerCertificate?,
            revision: @escaping @Sendable () -> Int?
        ) {
            self.site = site
            self.people = people
            self.stores = stores
            self.audience = audience
            self.log = log
            self.api = api
            self.receiver = receiver
            self.proxies = proxies
            self.certificate = certificate
            self.listening = listening
            self.limits = limits
            self.revision = revision
            changes = ChangeFeed(
                ChangeFeed.Origin(counter: { Int64(revision() ?? 0) }, of: files),
                pollingEvery: limits.pollingInterval)
            connections = Connections(
                limit: limits.connections, unauthenticated: limits.unauthenticatedConnections)
            wantedPort = port
        }

        /// The port that the server listens on; nil before it does.
        package var port: Int? { boundPort.withLock { $0 } }

        /// The number of open event streams.
        package var streamCount: Int { streams.count }

        /// Serves until ``end()`` is called or the task is cancelled. Returns at once if ``end()``
        /// was called before.
        ///
        /// - Parameter report: Called for each event, on any thread.
        /// - Throws: ``ServerError`` if it can't listen. Errors after that aren't reported.
        package func run(
            _ report: @escaping @Sendable (Notice) -> Void = { _ in }
        ) async throws(ServerError) {
            let application: any Service
            do { application = try self.application(report) } catch {
                throw ServerError(error, listening, wantedPort)
            }
            let group = ServiceGroup(
                configuration: .init(services: [application], logger: HealthServer.silent))
            let hasEnded = serving.withLock { state in
                state.group = group
                return state.hasEnded
            }
            if hasEnded { return }
            // Not a child task: cancelling it would drop accepted connections, at which the
            // framework stops the process.
            let running = Task { try await group.run() }
            let result = await withTaskCancellationHandler {
                await running.result
            } onCancel: {
                end()
            }
            streams.end()
            stores?.end()
            if case .failure(let error) = result, port == nil {
                throw ServerError(error, listening, wantedPort)
            }
        }

        /// Stops listening, and ends event streams and idle connections. Responses in progress are
        /// completed.
        package func end() {
            streams.end()
            stores?.end()
            let group = serving.withLock { state in
                state.hasEnded = true
                return state.group
            }
            guard let group else { return }
            Task { await group.triggerGracefulShutdown() }
        }

        private struct Serving {
            var group: ServiceGroup?
            var hasEnded = false
        }

        private let serving = Mutex(Serving())
        // The framework logs addresses, which contain types and dates of health data, so logging is
        // off.
        private static let silent = Logger(label: "HealthServer") { _ in SwiftLogNoOpLogHandler() }

        private func application(
            _ report: @escaping @Sendable (Notice) -> Void
        ) throws -> Application<TargetResponder<RouterResponder<PageRequestContext>>> {
            Application(
                responder: responder(report),
                server: try connectionHandling(),
                configuration: ApplicationConfiguration(
                    address: .hostname(host, port: wantedPort),
                    // A margin above the limit, for connections that are being closed.
                    availableConnectionsDelegate: .maximum(
                        limits.connections + limits.connections / 4 + 1, logger: HealthServer.silent
                    )),
                onServerRunning: { channel in
                    self.boundPort.withLock { $0 = channel.localAddress?.port }
                    if let port = self.port { self.log?.begin(port: port) }
                    report(.listening(url: self.url))
                },
                logger: HealthServer.silent)
        }

        /// Returns what sets up a connection: HTTP, within TLS if there is a certificate.
        private func connectionHandling() throws -> HTTPServerBuilder {
            let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: 2 * limits.headerBytes,
                maxHeaderFieldCount: limits.headerCount)
            let plain = HTTPServerBuilder.http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        ConnectionCountHandler(self.connections), MalformedRequestHandler(),
                    ],
                    idleTimeout: TimeAmount(limits.idleTimeout),
                    httpDecoderConfiguration: decoder))
            #if TLS
                if let certificate {
                    return try .tls(plain, tlsConfiguration: certificate.configuration)
                }
            #endif
            return plain
        }

        private var host: String {
            switch listening {
            case .loopback: "127.0.0.1"
            case .address(let address, _): address
            }
        }

        /// The server's address, with the token for the next browser if it serves one store.
        var url: String {
            people == nil ? address(withToken: sessions.token) : origin + "/"
        }

        /// Whether browsers reach the server over HTTPS: by itself, or through a proxy that adds it.
        var isEncrypted: Bool { certificate != nil || proxies != nil }

        func address(withToken token: String) -> String {
            "\(origin)/?token=\(token)"
        }

        private var origin: String {
            let scheme = certificate == nil ? "http" : "https"
            return "\(scheme)://\(shownHost):\(port ?? wantedPort)"
        }

        /// The host in addresses: with a certificate the first name, for which it is probably valid.
        private var shownHost: String {
            if certificate != nil, case .address(_, let names) = listening, let name = names.first {
                return name
            }
            return switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            default: host.contains(":") ? "[\(host)]" : host
            }
        }
    }

    extension HealthServer {
        /// Creates a server of all pages of a store.
        ///
        /// - Parameters:
        ///   - path: The path of the store.
        ///   - timeZone: The time zone of days; nil for the store's home zone, else the system's.
        ///   - listening: The address to listen on.
        ///   - port: The port, or 0 for any free one.
        ///   - cache: The file that keeps pages between runs; nil to keep them in memory.
        ///   - weightNotes: The file of the `HealthSync` mirror with notes and tags on weights. It
        ///     is not created if missing.
        ///   - stepGoal: The goal of steps a day; nil for none.
        ///   - audience: Who reads the pages.
        ///   - limits: The limits on clients.
        ///   - api: The read API; nil for none.
        ///   - receiver: Stores what devices send; nil if nothing is received.
        ///   - proxies: The addresses that requests may come from, besides this computer; nil for
        ///     all.
        ///   - certificate: The certificate for HTTPS; nil for HTTP.
        ///   - counting: When the store's contents are counted for the first time.
        ///   - writing: Runs what pages write to the store; nil to use a connection of their own.
        /// - Throws: `StoreError` if there is no readable store, `HKError` if it can't be opened
        ///   for HealthKit queries.
        package convenience init(
            storeAt path: String, timeZone: TimeZone? = nil, listening: Listening = .loopback,
            port: Int = 0, cache: URL? = nil, weightNotes: URL? = nil, stepGoal: Double? = nil,
            audience: PageAudience = .owner(commandOptions: ""), limits: Limits = Limits(),
            api: ReadAPI? = nil,
            receiver: Receiver? = nil, proxies: AddressRange? = nil,
            certificate: ServerCertificate? = nil, counting: Counting = .inAdvance,
            writing: StoreWriting? = nil
        ) throws {
            let notes = weightNotes.map { WeightNotes(at: $0) }
            let pages = try StorePages(
                storeAt: path, timeZone: timeZone, cache: cache, notes: notes, stepGoal: stepGoal,
                audience: audience, writing: writing)
            if counting == .inAdvance {
                Task.detached(priority: .background) { await pages.prepare() }
            }
            // A connection of its own, so that reading the revision never waits for a page.
            // SQLite's data version is only comparable within one connection.
            let revisionStore = try SampleStore(at: path, access: .reading)
            self.init(
                pages.site, of: [path] + (weightNotes.map { [$0.path] } ?? []),
                listening: listening,
                port: port, limits: limits, api: api, receiver: receiver, audience: audience,
                proxies: proxies, certificate: certificate,
                revision: {
                    guard let version = try? revisionStore.dataVersion() else { return nil }
                    return version &+ (notes?.stamp ?? 0)
                })
        }
    }

    /// Why a server can't listen.
    package enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The port is in use, usually by another process.
        case portInUse(Int)
        /// The system doesn't permit this process to use the port, for example one below 1024.
        case portNotPermitted(Int)
        /// The address doesn't belong to this computer, or can't be resolved.
        case noSuchAddress(String)
        /// Another error, with the system's message.
        case failed(String)

        init(_ error: any Error, _ listening: HealthServer.Listening, _ port: Int) {
            let code = (error as? IOError)?.errnoCode
            switch (code, listening) {
            case (EADDRINUSE, _): self = .portInUse(port)
            case (EACCES, _): self = .portNotPermitted(port)
            case (_, .address(let address, _)) where code == nil || code == EADDRNOTAVAIL:
                self = .noSuchAddress(address)
            case (let code?, _): self = .failed(String(cString: strerror(code)))
            case (nil, _): self = .failed("\(type(of: error))")
            }
        }

        package var description: String {
            switch self {
            case .portInUse(let port):
                "Port \(port) is in use."
            case .portNotPermitted(let port):
                "Port \(port) is reserved by the system."
            case .noSuchAddress(let address):
                "“\(address)” is not an address of this computer."
            case .failed(let reason): "The pages can't be served: \(reason)."
            }
        }
    }
#endif

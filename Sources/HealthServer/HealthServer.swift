import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Serves pages over HTTP to one person, at this computer unless told otherwise.
///
/// ```swift
/// let server = HealthServer(site) { try? revisions.dataVersion() }
/// try await server.run { notice in
///     if case .listening(let url) = notice { print(url) }  // http://127.0.0.1:49321/?token=5f1c…
/// }
/// ```
/// The token in the address opens one session, kept by a cookie. A request is answered if it names this
/// server as its host and, where it may change something, comes from one of its own pages.
public final class HealthServer: Sendable {
    /// Where it listens.
    public enum Listening: Hashable, Sendable {
        /// 127.0.0.1: this computer alone.
        case loopback
        /// An address that others may reach, and the host names it is asked by, a proxy's for one.
        /// An IP address with the right port needs no name.
        case address(String, names: [String])
    }

    /// What it bears of a client.
    public struct Limits: Hashable, Sendable {
        /// Bytes of one header field, and of all together twice as many.
        public var headerBytes = 16_384
        public var headerCount = 100
        public var bodyBytes = 65_536
        /// At a time. A quarter is for connections that no logged-in browser has used yet; where
        /// either share is full, its oldest connection is closed for the new one.
        public var connections = 256
        /// How long a connection may say nothing between or within requests, or leave an answer lying.
        public var idle = Duration.seconds(10)
        /// How long a form may take to arrive, and an answer to be taken.
        public var stall = Duration.seconds(20)
        /// How often an event stream says that it is alive.
        public var heartbeat = Duration.seconds(15)
        /// How often the store is looked at while an event stream is open.
        public var look = Duration.milliseconds(250)

        public init() {}
    }

    /// What happens while it runs.
    public enum Notice: Hashable, Sendable {
        /// It takes connections; the address holds a token for one browser.
        case listening(url: String)
        /// A browser has used the token; the address holds the next one.
        case opened(nextURL: String)
        /// A page could not be made; holds no health value.
        case failed(String)
    }

    let site: Site
    let listening: Listening
    let limits: Limits
    let revision: @Sendable () -> Int?
    let sessions = Sessions()
    let streams = EventStreams()
    let kept = KeptAnswers()
    let connections: Connections
    /// Begins the names of events, so that another run's mean nothing here.
    let run = Secret().text.prefix(8)
    private let wantedPort: Int
    private let boundPort = Mutex<Int?>(nil)

    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - revision: A number that changes when the store does; nil if it can't be told now.
    public init(
        _ site: Site, listening: Listening = .loopback, port: Int = 0, limits: Limits = Limits(),
        revision: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.site = site
        self.listening = listening
        self.limits = limits
        self.revision = revision
        connections = Connections(limit: limits.connections)
        wantedPort = port
    }

    /// The port it listens on; nil before it does.
    public var port: Int? { boundPort.withLock { $0 } }

    /// How many event streams are open.
    public var streamCount: Int { streams.count }

    /// Listens until ``end()`` or until the task is cancelled.
    ///
    /// - Throws: ``ServerError`` if it can't listen there.
    public func run(
        _ tell: @escaping @Sendable (Notice) -> Void = { _ in }
    ) async throws(ServerError) {
        let group = ServiceGroup(
            configuration: .init(services: [application(tell)], logger: HealthServer.silent))
        let hasEnded = serving.withLock { state in
            state.group = group
            return state.hasEnded
        }
        if hasEnded { return }
        let looking = Task { await look() }
        // Not as a child, which would be cancelled: what was accepted and not yet taken up would then
        // be dropped, and the framework traps on that.
        let running = Task { try await group.run() }
        let result = await withTaskCancellationHandler {
            await running.result
        } onCancel: {
            end()
        }
        looking.cancel()
        streams.end()
        if case .failure(let error) = result, port == nil {
            throw ServerError(error, listening, wantedPort)
        }
    }

    /// Stops listening, ends event streams and idle connections, and lets answers that are under way
    /// come to their end.
    public func end() {
        streams.end()
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
    // What the framework logs has addresses in it, and a person's days in those.
    private static let silent = Logger(label: "HealthServer") { _ in SwiftLogNoOpLogHandler() }

    private func application(
        _ tell: @escaping @Sendable (Notice) -> Void
    ) -> Application<CallbackResponder<ConnectionContext>> {
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: 2 * limits.headerBytes,
            maxHeaderFieldCount: limits.headerCount)
        return Application(
            responder: CallbackResponder { request, context in
                await self.respond(to: request, context.channel, tell)
            },
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        ConnectionCounting(self.connections), UnreadableRequests(),
                    ],
                    idleTimeout: TimeAmount(limits.idle), httpDecoderConfiguration: decoder)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: wantedPort),
                // Beyond the shares only while those closed for others come to their end.
                availableConnectionsDelegate: .maximum(
                    limits.connections + limits.connections / 4 + 1, logger: HealthServer.silent)),
            onServerRunning: { channel in
                self.boundPort.withLock { $0 = channel.localAddress?.port }
                tell(.listening(url: self.url))
            },
            logger: HealthServer.silent)
    }

    private var host: String {
        switch listening {
        case .loopback: "127.0.0.1"
        case .address(let address, _): address
        }
    }

    /// Where a browser finds it, with the token for the next one.
    var url: String { address(withToken: sessions.token) }

    func address(withToken token: String) -> String {
        let shown =
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            default: host.contains(":") ? "[\(host)]" : host
            }
        return "http://\(shown):\(port ?? wantedPort)/?token=\(token)"
    }

    /// Calls the event streams when the store has changed, and now and then.
    private func look() async {
        let clock = ContinuousClock()
        var lastRevision = revision()
        var lastCall = clock.now
        while !Task.isCancelled {
            try? await Task.sleep(for: limits.look)
            guard streams.count > 0 else { continue }
            let revision = revision()
            guard revision != lastRevision || clock.now - lastCall >= limits.heartbeat else {
                continue
            }
            lastRevision = revision
            lastCall = clock.now
            streams.call()
        }
    }
}

/// What a request knows of its connection.
struct ConnectionContext: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }
}

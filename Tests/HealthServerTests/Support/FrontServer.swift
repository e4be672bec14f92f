import HealthStorage
import HealthTesting
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle
import Synchronization

@testable import HealthServer

/// A listening server in front of one that doesn't listen. It gives each request the same session
/// and token. It is stopped when the value is released.
final class FrontServer: Sendable {
    private let boundPort = Mutex<Int?>(nil)
    private let group = Mutex<ServiceGroup?>(nil)

    private var port: Int { boundPort.withLock { $0 } ?? 0 }

    /// - Parameters:
    ///   - server: The server that answers.
    ///   - session: The session of all requests; nil for none.
    ///   - token: The token of all requests; nil for none.
    init(
        of server: HealthServer, session: Sessions.Session? = nil, token: ReadToken? = nil
    ) async throws {
        let routes = server.personResponder { _ in }
        let front = CallbackResponder<PageRequestContext> { request, context in
            var context = context
            (context.session, context.readToken) = (session, token)
            return try await routes.respond(to: request, context: context)
        }
        let silent = Logger(label: "FrontServer") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: TargetResponder(routes: front),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { [weak self] channel in
                self?.boundPort.withLock { $0 = channel.localAddress?.port }
            }, logger: silent)
        let running = ServiceGroup(
            configuration: .init(services: [application], logger: silent))
        group.withLock { $0 = running }
        Task { try await running.run() }
        for _ in 0..<6000 where port == 0 { try await Task.sleep(for: .milliseconds(10)) }
    }

    deinit {
        let group = group.withLock { $0 }
        Task { await group?.triggerGracefulShutdown() }
    }

    func send(
        _ target: String, _ method: String = "GET", headers: [String] = [], body: String = ""
    ) async throws -> RawResponse {
        let client = try await open(
            target, method, headers: headers + ["Connection: close"], body: body)
        return RawResponse(await client.receiveAll())
    }

    /// Sends a request, and returns the connection.
    func open(
        _ target: String, _ method: String = "GET", headers: [String] = [], body: String = ""
    ) async throws -> RawClient {
        let client = try RawClient(port: port, timeout: 1800)
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let lines = ["\(method) \(target) HTTP/1.1", "Host: front.example"] + length + headers
        await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return client
    }
}

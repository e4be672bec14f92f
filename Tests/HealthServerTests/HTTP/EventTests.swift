import Foundation
import HealthServer
import HealthTesting
import Synchronization
import Testing

/// Server-sent events.
@Suite(.serialized) struct EventTests {
    private func open(
        _ running: RunningServer, _ cookie: String, headers: [String] = []
    ) async throws -> RawClient {
        let client = try RawClient(port: running.port)
        await client.send(
            running.request(
                "/events", cookie: cookie, headers: headers + ["Connection: keep-alive"]))
        return client
    }

    private func quick() -> HealthServer.Limits {
        var limits = HealthServer.Limits()
        limits.pollingInterval = .milliseconds(20)
        limits.heartbeat = .milliseconds(300)
        return limits
    }

    @Test("a change is sent once, and heartbeats between changes")
    func change() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try await running.signIn()
        let client = try await open(running, cookie)
        let head = await client.receive(until: ": here\n\n").lowercased()
        #expect(head.contains("content-type: text/event-stream; charset=utf-8"))
        #expect(head.contains("cache-control: no-store"))
        #expect(!head.contains("event: change"))
        running.recorded.revision.withLock { $0 = 2 }
        // Keep-alive comments may precede it.
        var told = await client.receive(until: "event: change\nid: ")
        for _ in 0..<3 { told += await client.receive(until: ": here\n\n") }
        #expect(told.components(separatedBy: "event: change\nid: ").count == 2)
    }

    @Test("a change between page and stream, or during a disconnection, is sent")
    func missed() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try await running.signIn()
        _ = try await running.send("/", cookie: cookie)
        running.recorded.revision.withLock { $0 = 2 }
        let opened = try await open(running, cookie)
        let first = await opened.receive(until: "data: ")
        #expect(first.contains("event: change\nid: "))
        let name = try #require(first.split(separator: "id: ").last?.split(separator: "\n").first)
        let again = try await open(running, cookie, headers: ["Last-Event-ID: \(name)"])
        #expect(!(await again.receive(until: ": here")).contains("event: change"))
        running.recorded.revision.withLock { $0 = 3 }
        let late = try await open(running, cookie, headers: ["Last-Event-ID: \(name)"])
        #expect(await late.receive(until: "data: ").contains("event: change"))
    }

    @Test("of a hundred streams of a session the newest four stay open, and pages are served")
    func manyStreams() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try await running.signIn()
        var clients: [RawClient] = []
        for _ in 0..<100 {
            let client = try await open(running, cookie)
            _ = await client.receive(until: ": here")
            clients.append(client)
        }
        for client in clients.dropLast(4) { #expect(await client.isClosed()) }
        #expect(try await running.send("/", cookie: cookie).status == 200)
        running.recorded.revision.withLock { $0 = 2 }
        for client in clients.suffix(4) {
            #expect(await client.receive(until: "data: ").contains("event: change"))
        }
    }

    @Test("ended streams hold no connection, even if their clients don't close it")
    func endedStreams() async throws {
        var limits = quick()
        limits.connections = 16
        limits.idleTimeout = .seconds(3600)
        let running = try await RunningServer(limits: limits)
        let cookie = try await running.signIn()
        var clients: [RawClient] = []
        for _ in 0..<60 {
            let client = try await open(running, cookie)
            _ = await client.receive(until: ": here")
            clients.append(client)
        }
        #expect(try await running.send("/", cookie: cookie).status == 200)
        #expect(clients.count == 60)
    }

    @Test("a disconnected client ends its stream")
    func leaving() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try await running.signIn()
        for _ in 0..<10 {
            let client = try await open(running, cookie)
            _ = await client.receive(until: ": here")
        }
        for _ in 0..<3000 where running.server.streamCount > 0 {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(running.server.streamCount == 0)
    }

    @Test("the server can end while streams are open, and ends them")
    func ending() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try await running.signIn()
        var clients: [RawClient] = []
        for _ in 0..<4 { clients.append(try await open(running, cookie)) }
        for client in clients { _ = await client.receive(until: ": here") }
        running.server.end()
        for client in clients { #expect(await client.isClosed()) }
    }
}

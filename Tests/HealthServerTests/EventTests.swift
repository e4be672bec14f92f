import Foundation
import HealthServer
import HealthTesting
import Synchronization
import Testing

/// Server-sent events.
@Suite(.serialized) struct EventTests {
    private func open(
        _ running: RunningServer, _ cookie: String, headers: [String] = []
    ) throws -> RawClient {
        let client = try RawClient(port: running.port, timeout: 5)
        client.send(
            running.request(
                "/events", cookie: cookie, headers: headers + ["Connection: keep-alive"]))
        return client
    }

    private func quick() -> HealthServer.Limits {
        var limits = HealthServer.Limits()
        limits.look = .milliseconds(20)
        limits.heartbeat = .milliseconds(300)
        return limits
    }

    @Test("a change is told once, and in between that the stream is alive")
    func change() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try running.enter()
        let client = try open(running, cookie)
        let head = client.receive(until: ": here\n\n")
        #expect(head.contains("content-type: text/event-stream; charset=utf-8"))
        #expect(head.contains("cache-control: no-store"))
        #expect(!head.contains("event: change"))
        running.notes.revision.withLock { $0 = 2 }
        let first = client.receive(until: ": here\n\n")
        #expect(first.components(separatedBy: "event: change\nid: ").count == 2)
        #expect(!client.receive(until: ": here\n\n").contains("event: change"))
    }

    @Test("what changed between the page and the stream, or while the stream was away, is told")
    func missed() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try running.enter()
        _ = try running.ask("/", cookie: cookie)
        running.notes.revision.withLock { $0 = 2 }
        let first = try open(running, cookie).receive(until: "data: ")
        #expect(first.contains("event: change\nid: "))
        let name = try #require(first.split(separator: "id: ").last?.split(separator: "\n").first)
        let again = try open(running, cookie, headers: ["Last-Event-ID: \(name)"])
        #expect(!again.receive(until: ": here").contains("event: change"))
        running.notes.revision.withLock { $0 = 3 }
        let late = try open(running, cookie, headers: ["Last-Event-ID: \(name)"])
        #expect(late.receive(until: "data: ").contains("event: change"))
    }

    @Test("of a hundred streams of a browser the newest four stay, and pages are served meanwhile")
    func manyStreams() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try running.enter()
        var clients: [RawClient] = []
        for _ in 0..<100 {
            let client = try open(running, cookie)
            _ = client.receive(until: ": here")
            clients.append(client)
        }
        for client in clients.dropLast(4) { #expect(client.isClosed()) }
        #expect(try running.ask("/", cookie: cookie).status == 200)
        running.notes.revision.withLock { $0 = 2 }
        for client in clients.suffix(4) {
            #expect(client.receive(until: "data: ").contains("event: change"))
        }
    }

    @Test("a client that goes ends its stream")
    func leaving() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try running.enter()
        for _ in 0..<10 {
            let client = try open(running, cookie)
            _ = client.receive(until: ": here")
        }
        for _ in 0..<200 where running.server.streamCount > 0 {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(running.server.streamCount == 0)
    }

    @Test("the server ends within a second, with streams open")
    func ending() async throws {
        let running = try await RunningServer(limits: quick())
        let cookie = try running.enter()
        let clients = try (0..<4).map { _ in try open(running, cookie) }
        for client in clients { _ = client.receive(until: ": here") }
        let clock = ContinuousClock()
        let begin = clock.now
        running.server.end()
        for client in clients { #expect(client.isClosed()) }
        #expect(clock.now - begin < .seconds(1))
    }
}

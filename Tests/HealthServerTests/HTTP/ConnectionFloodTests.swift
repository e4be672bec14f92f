import Foundation
import HealthTesting
import Synchronization
import Testing

@testable import HealthServer

/// Many connections without a session, and connections with one.
@Suite(.serialized) struct ConnectionFloodTests {
    /// Returns limits with which no idle connection is closed during a test.
    private func longTimeouts(connections: Int = 256) -> HealthServer.Limits {
        var limits = HealthServer.Limits()
        limits.connections = connections
        limits.idleTimeout = .seconds(3600)
        limits.pollingInterval = .milliseconds(20)
        limits.heartbeat = .milliseconds(300)
        return limits
    }

    @Test("five hundred idle connections block neither signed-in browsers nor sign-in")
    func flood() async throws {
        let running = try await RunningServer(limits: longTimeouts())
        let cookie = try await running.signIn()
        let events = try RawClient(port: running.port)
        await events.send(
            running.request("/events", cookie: cookie, headers: ["Connection: keep-alive"]))
        _ = await events.receive(until: ": here")
        // Some send nothing, some half a request, some a complete one without a session.
        var flood: [RawClient] = []
        for number in 0..<500 {
            let client = try RawClient(port: running.port)
            if number % 3 == 1 { await client.send("GET / HTTP/1.1\r\nHost: ") }
            if number % 3 == 2 {
                await client.send(running.request("/", headers: ["Connection: keep-alive"]))
            }
            flood.append(client)
        }
        let page = try await running.send("/", cookie: cookie)
        #expect(page.status == 200)
        #expect(running.server.connections.counts.unauthenticated <= 64)
        #expect(try await running.send(running.signInAddress).status == 303)
        // The browser's own connection is still open.
        running.recorded.revision.withLock { $0 = 2 }
        #expect(await events.receive(until: "data: ").contains("event: change"))
        // The oldest connections without a session were closed; the newest remain.
        #expect(await flood[0].isClosed())
        await flood[499].send("GET /style.css HTTP/1.1\r\nHost: \(running.host)\r\n\r\n")
        #expect(await flood[499].receive() != nil)
    }

    @Test("no more connections are open than the limit")
    func bounded() async throws {
        let running = try await RunningServer(limits: longTimeouts(connections: 16))
        let cookie = try await running.signIn()
        var clients: [RawClient] = []
        for number in 0..<60 {
            let client = try RawClient(port: running.port)
            await client.send(
                running.request(
                    "/style.css", cookie: number % 2 == 0 ? cookie : nil,
                    headers: ["Connection: keep-alive"]))
            #expect(await client.receive()?.contains("200 OK") == true)
            await client.send(
                running.request(
                    "/", cookie: number % 2 == 0 ? cookie : nil,
                    headers: ["Connection: keep-alive"]))
            #expect(await client.receive() != nil)
            clients.append(client)
        }
        // Four connections without a session and twelve of the browser's remain.
        for client in clients.dropLast(24) { #expect(await client.isClosed()) }
        #expect(try await running.send("/", cookie: cookie).status == 200)
    }

    @Test("a request with no host or two hosts is rejected")
    func hosts() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        for hosts in [
            [], [running.host, running.host], [running.host, "evil.example"],
            ["evil.example", running.host], [running.host, ""],
        ] {
            let client = try RawClient(port: running.port)
            let lines = hosts.map { "Host: \($0)\r\n" }.joined()
            await client.send(
                "GET / HTTP/1.1\r\n\(lines)Cookie: \(cookie)\r\nConnection: close\r\n\r\n")
            let response = RawResponse(await client.receiveAll())
            #expect(response.status == 400, "\(hosts)")
            #expect(!response.body.contains("8214"))
        }
        #expect(try await running.send("/", cookie: cookie).status == 200)
    }
}

import Foundation
import HealthTesting
import Synchronization
import Testing

@testable import HealthServer

/// Clients that send invalid, oversized or slow requests, or disconnect.
@Suite struct BadClientTests {
    @Test(
        "an invalid request is rejected and not echoed",
        arguments: [
            "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}", "GET / HTTP/1.1\r\n\r\n",
            "GET http://evil.example/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET /%00 HTTP/1.1\r\nHost: HOST\r\n\r\n", "GET /%FF HTTP/1.1\r\nHost: HOST\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: HOST\r\nX: a\r\n b\r\nY\u{0}: c\r\n\r\n",
            "GET /../../etc/passwd HTTP/1.1\r\nHost: HOST\r\n\r\n",
        ])
    func nonsense(text: String) async throws {
        var limits = HealthServer.Limits()
        limits.idleTimeout = .seconds(1)
        let running = try await RunningServer(limits: limits)
        let client = try RawClient(port: running.port)
        await client.send(text.replacingOccurrences(of: "HOST", with: running.host))
        let response = RawResponse(await client.receiveAll())
        #expect(response.status == 0 || (400..<500).contains(response.status), "\(response.text)")
        if response.status != 0 {
            #expect(
                response.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true
            )
            #expect(response.headers["x-content-type-options"] == "nosniff")
            #expect(!response.body.isEmpty)
        }
        #expect(!response.text.contains("8214"))
        #expect(!response.text.contains("evil.example"))
        #expect(try await running.send("/style.css").status == 200)
    }

    @Test("endless headers and addresses are rejected")
    func longHeaders() async throws {
        let running = try await RunningServer()
        let many = (0..<2000).map { "X-\($0): y" }
        let long = String(repeating: "a", count: 1 << 20)
        for request in [
            running.request("/", headers: many), running.request("/", headers: ["X: " + long]),
            running.request("/" + long), running.request("/?q=" + long),
        ] {
            let client = try RawClient(port: running.port)
            await client.send(request)
            let response = RawResponse(await client.receiveAll())
            #expect(response.status == 0 || (400..<500).contains(response.status))
        }
        #expect(try await running.send("/style.css").status == 200)
    }

    @Test("only forms accept a body, of up to 64 KiB")
    func bodies() async throws {
        let running = try await RunningServer()
        let cookie = try await running.signIn()
        let key = try await running.formKey(cookie)
        let headers = [
            "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
        ]
        func status(_ count: Int) async throws -> Int {
            let start = "csrf=\(key)&a="
            let body = start + String(repeating: "x", count: count - start.count)
            return try await running.send(
                "/why", "POST", cookie: cookie, headers: headers, body: body
            )
            .status
        }
        #expect(try await status(65_536) == 303)
        #expect(try await status(65_537) == 413)
        // A body without an end and without a length.
        let client = try RawClient(port: running.port)
        await client.send(
            running.request(
                "/why", "POST", cookie: cookie,
                headers: headers + ["Transfer-Encoding: chunked", "Connection: keep-alive"]))
        let chunk = "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n"
        var sent = 0
        while sent < 4000, await client.send(chunk) { sent += 1 }
        #expect(sent < 4000)
        let get = try await running.send("/", cookie: cookie, body: "x")
        #expect(get.status == 400)
        #expect(running.recorded.forms.withLock { $0.count } == 1)
    }

    @Test("a client that sends a request or a form byte by byte is disconnected")
    func slowSender() async throws {
        var limits = HealthServer.Limits()
        limits.idleTimeout = .milliseconds(600)
        limits.stallTimeout = .milliseconds(600)
        let running = try await RunningServer(limits: limits)
        let cookie = try await running.signIn()
        let silent = try RawClient(port: running.port)
        #expect(await silent.isClosed())
        let halfway = try RawClient(port: running.port)
        await halfway.send("GET / HTTP/1.1\r\nHost: ")
        #expect(await halfway.isClosed())
        let form = try RawClient(port: running.port)
        await form.send(
            running.request(
                "/why", "POST", cookie: cookie,
                headers: [
                    "Content-Type: application/x-www-form-urlencoded",
                    "Sec-Fetch-Site: same-origin", "Content-Length: 60000",
                    "Connection: keep-alive",
                ]))
        var sent = 0
        while sent < 2000, await form.send("x") {
            sent += 1
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(sent < 2000)
    }

    @Test("a client that doesn't read is disconnected, and others are served meanwhile", .inTestAll)
    func slowReader() async throws {
        var limits = HealthServer.Limits()
        limits.idleTimeout = .milliseconds(800)
        limits.stallTimeout = .milliseconds(800)
        let running = try await RunningServer(limits: limits)
        let cookie = try await running.signIn()
        let client = try RawClient(port: running.port)
        await client.send(running.request("/large.json", cookie: cookie))
        #expect(try await running.send("/", cookie: cookie).status == 200)
        // The response has started.
        #expect(await client.receive() != nil)
        // Reading more before the disconnection would extend the time limit.
        for _ in 0..<6000 where running.server.connections.counts.authenticated > 0 {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(running.server.connections.counts.authenticated == 0)
        #expect(await client.receiveAll().utf8.count < 32 << 20)
    }

    @Test("clients beyond the limit replace those that sent nothing", .inTestAll)
    func manyClients() async throws {
        var limits = HealthServer.Limits()
        limits.idleTimeout = .seconds(3600)
        limits.connections = 32
        let running = try await RunningServer(limits: limits)
        let places = running.server.connections.unauthenticated
        #expect(places == 8)
        let idle = try (0..<20).map { _ in try RawClient(port: running.port, timeout: 15) }
        // Another connection replaces one of them, and is served.
        #expect(try await running.send("/style.css").status == 200)
        let closed = await withTaskGroup(of: Bool.self) { group in
            for client in idle { group.addTask { await client.isClosed() } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(closed == 20 - places || closed == 21 - places)
    }
}
